// What a planner may do about each reason of a decision and each violation of a body: one sentence for
// every member of the two closed unions. No score, no quote, no judge's words: no oracle.
import type { ViolationCode } from './reasons.ts'
import type { DecisionReason } from './records.ts'

const wait = 'Wait for a person, who decides on it; nothing to change.'

export const reasonRemedies: Record<DecisionReason, string> = {
  floor_block: 'Mend every finding that is listed and submit it with supersedes.',
  breach_reject: 'Mend every finding that is listed and submit it with supersedes.',
  panel_reject: 'Make the plan safer where the findings point, and submit it with supersedes.',
  veto_reject: 'Make the plan safer where the findings point, and submit it with supersedes.',
  breach_flag: 'Mend the findings that are listed, or wait for a person.',
  unknown:
    'State or have recorded what is not known where the findings point, or wait for a person.',
  state_changed:
    'The cell changed after the decision: wait for a person, who sees what differs, or send a new plan.',
  doubt_open: 'Say more plainly what each step is for, or wait for a person.',
  doubts_unasked:
    'Split the plan and say more plainly what each step is for, or wait for a person.',
  judge_reject_alone: wait,
  judge_severe_finding: wait,
  chief_reject_alone: wait,
  judge_high_risk: 'Make the plan safer where the findings point, and submit it with supersedes.',
  chief_reject: 'Mend what the findings name and submit it with supersedes.',
  person_reject: 'Do what the reviewer wrote in said, and submit another plan with supersedes.',
  review_expired: 'Nobody decided in time: submit it again while a reviewer is there.',
  floor_flag: 'Mend the findings that are listed, or wait for a person.',
  judge_reject_unsubstantiated: wait,
  judge_escalate: 'Say more plainly what each step is for, or wait for a person.',
  judging_failed: 'The gateway failed while it judged the plan: wait for a person.',
  judge_missing: wait,
  chief_escalate: 'Say more plainly what each step is for, or wait for a person.',
  chief_missing: wait,
  memory_match: 'Name the earlier plan in supersedes and mend what its reasons say.',
  knowledge_down: 'The knowledge store is down: wait for a person, or submit it again later.',
  knowledge_finding: 'Mend the findings that are listed, or wait for a person.',
  tail_risk: 'Split off the riskiest steps, or wait for a person.',
  depth_short:
    'The plan needs more judges than the site asked: wait for a person, or send less at once.',
  too_few_judges: 'Too few judges answered: wait for a person, or submit it again later.',
  panel_outage: 'The judges are down: wait for a person, or submit it again later.',
  person_accept: 'Nothing to do.',
  standing_approval: 'Nothing to do.',
  standing_misfit:
    'Ask for a run inside of what the standing approval covers, or wait for a person.',
  standing_look: 'A person looks at a sample of such runs: wait for one.',
  all_accept: 'Nothing to do.',
}

export const violationRemedies: Record<ViolationCode, string> = {
  body_too_large: 'Send less; split a long plan into several.',
  not_utf8: 'Encode the body as UTF-8.',
  not_json: 'Send one JSON value and nothing after it.',
  duplicate_key: 'Keep each key once in its object.',
  forbidden_key: 'Choose another name for the key.',
  lone_surrogate: 'Send whole characters: a surrogate comes in pairs.',
  number_not_exact: 'Send a number that a double holds exactly, or a string.',
  too_deep: 'Nest less.',
  too_many_values: 'Send fewer values.',
  schema: 'See the schema in /openapi.json for what this place takes.',
  unknown_field: 'Leave the field out; /openapi.json lists those that exist.',
  id_not_plain: 'Use an id of plain ASCII letters, digits, dots, dashes and underscores.',
  id_duplicate: 'Give every node an id of its own.',
  dependency_unknown: 'Name ids of nodes of this plan in depends_on.',
  dependency_duplicate: 'Name each dependency once.',
  dependency_self: 'A node cannot wait for itself: leave its own id out.',
  cycle: 'Break the cycle: some node must be able to start.',
  tool_unknown: 'Use a tool that GET /v1/tools lists.',
  args_invalid: 'Follow the args_schema of the tool at GET /v1/tools.',
  args_too_large: 'Send smaller arguments, or several nodes.',
  planner_mismatch: 'Put the subject of the credential into planner.id.',
  follows_unknown: 'Name a plan of this site that you may see, or leave follows out.',
  reference_malformed:
    'Write {"$from": {"node", "pointer", "min", "max"}} for a number, or "enum" instead of the bounds for a closed text.',
  reference_invalid:
    'Refer to a declared result of a node that this one depends on, in a unit that the argument has.',
  condition_invalid:
    'Compare declared results of nodes that this one depends on; name the unit of a number.',
  always_conditional: 'Let it depend on nodes without `when`, or leave `always` out.',
  row_not_current: 'Read the registry again and name the row as it is now.',
  kind_unknown: 'Name a kind of the site file, or have the kind approved first.',
  supersedes_unknown: 'Name a plan that this planner submitted at this site, or leave it out.',
  agent_unknown: 'Name an agent that is enrolled at this site, or leave agent out.',
  too_many_violations: 'Mend those that are listed first.',
  name_duplicate: 'Give every entry a name of its own.',
  name_not_canonical: 'Write the name in its canonical form.',
  capability_unknown: 'Name a capability that the registry declares.',
  args_schema_open: 'Close the schema: additionalProperties false at every object.',
  pattern_not_linear: 'Write a pattern that matches in linear time.',
  digest_malformed: 'Send a digest of its kind: prefix and 43 base64url characters.',
  sandbox_not_required: 'Tools of this risk need sandbox_required true.',
  text_carries_instructions: 'Describe what the tool does, without orders to a reader.',
  precondition_invalid:
    'Name a tool of class read, arguments that it takes, a declared result of it, a bound in a unit of its kind, and a time.',
  answer_not_taken:
    'Write one of the forms that the question names; GET /v1/site-file/draft lists them.',
  url_forbidden: 'Use a public host over https; the operator of the deployment can open others.',
  time_past: 'Send a time in the future, in milliseconds since the epoch.',
  hole_invalid:
    'Name a step of the plan, the JSON pointer of one of its scalar arguments, and a range or list that its value lies in.',
  time_too_far: 'Send an earlier time.',
  period_misfit:
    'Make the inner period shorter, or the outer one longer: calls, then plans, then trails.',
}
