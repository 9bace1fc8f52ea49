-- Who created and who revoked a credential: the owner of the administrator's credential, or
-- `deployment-operator`. Null for credentials older than this.
ALTER TABLE credentials ADD COLUMN created_by TEXT;
ALTER TABLE credentials ADD COLUMN revoked_by TEXT;
