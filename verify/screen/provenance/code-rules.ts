// Signs that a string is code, as data: one row per language or trick. Every pattern is from the
// linear subset (a test proves it), and is written to stay silent on laboratory prose.
// Danger: code that rides in an argument of a tool which is no code tool (CWE-94).

export type CodeRule = {
  readonly kind: string
  readonly pattern: RegExp
}

/** A sign in any argument of a tool that does not run code. */
export const codeSigns: readonly CodeRule[] = [
  { kind: 'shebang', pattern: /^#! {0,3}\/[a-z]/m },
  {
    kind: 'python',
    pattern:
      /(?:^|[;\n]) {0,16}import (?:os|sys|subprocess|socket|serial|requests|urllib|http|ctypes|pickle|base64|shutil|importlib|builtins|pty|paramiko|smtplib|ftplib|pathlib|asyncio|threading|multiprocessing|numpy|pandas|pymodbus|pyvisa|usb)(?:\.\w{1,40})? ?(?:$|[;,\n]|as )/,
  },
  {
    kind: 'python',
    pattern: /(?:^|[;\n]) {0,16}from [\w.]{1,80} import [\w*(]/,
  },
  { kind: 'python', pattern: /__import__ ?\(|__builtins__|__class__|__subclasses__|__globals__/ },
  {
    kind: 'python',
    pattern:
      /\b(?:os\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?|remove|unlink|environ)|subprocess\.(?:run|call|Popen|check_output)|pickle\.loads?|importlib\.import_module|shutil\.rmtree)\b/,
  },
  {
    kind: 'python',
    pattern: /(?:^|\n) {0,16}(?:def [a-z_]\w{0,40}|class [A-Z]\w{0,40}) ?\([^()\n]{0,80}\) ?:/,
  },
  {
    kind: 'dynamic',
    pattern: /(?:^|[^.\w])(?:eval|exec|execfile|compile|Function)\( ?["'`a-zA-Z_(]/,
  },
  {
    kind: 'shell',
    pattern:
      /\| ?(?:sudo |env |nohup ){0,2}(?:\/(?:usr\/)?bin\/)?(?:(?:ba|z|da|k|a)?sh|python3?|perl|iex)(?:$|[ \n;|&"')])/i,
  },
  {
    kind: 'shell',
    pattern:
      /(?:^|[;&|`(\n]) ?(?:sudo |nohup |env ){0,2}(?:rm -[a-z]*[rf]|chmod [0-7+]|chown |mkfifo |nc -|ncat |netcat |bash -[ci]|sh -c|zsh -c|python3? -c|perl -e|ruby -e|node -e|php -r|dd if=|mkfs|crontab -|systemctl (?:stop|disable|start)|kill -9|iptables -|ssh -|scp |rsync -)/,
  },
  {
    kind: 'shell',
    pattern:
      /\$\((?:curl|wget|cat|sh|bash|id|whoami|nc|python3?|uname|ls|rm|echo|date|env|base64)[ )]|`(?:curl|wget|sh|bash|whoami|nc|python3?|uname|rm|env|base64)(?: [^`\n]{0,80})?`/,
  },
  {
    kind: 'shell',
    pattern:
      /\/bin\/(?:ba|z|da|k)?sh\b|\/dev\/tcp\/|> ?\/dev\/(?:tty|sd|null)|\/etc\/(?:passwd|shadow|crontab)/,
  },
  {
    kind: 'powershell',
    pattern:
      /\b(?:powershell|pwsh)(?:\.exe)? -|\bcmd(?:\.exe)? \/c\b|\binvoke-(?:expression|webrequest|command)\b|\biex ?\(|\bnew-object (?:net\.|system\.net|-com)|\bdownloadstring ?\(|\bstart-process\b|\bset-executionpolicy\b|\bcertutil -|\bmshta |\bregsvr32 |\brundll32 /i,
  },
  {
    kind: 'javascript',
    pattern:
      /<script\b|javascript:|\bonerror ?=|\bonload ?=|require\( ?['"](?:child_process|fs|net|vm|http)['"]|\bprocess\.(?:env|exit|binding)\b|document\.(?:cookie|write)|new Function ?\(|\) ?=> ?[{(]/i,
  },
  { kind: 'javascript', pattern: /\bfunction ?\w{0,40} ?\([^()\n]{0,80}\) ?\{/ },
  {
    kind: 'sql',
    pattern:
      /\bDELETE FROM [a-zA-Z_"`[]|\bINSERT INTO [a-zA-Z_"`[.\]]{1,60} ?\(|\bUPDATE [a-zA-Z_"`[.\]]{1,60} SET [a-zA-Z_"`[.\]]{1,60} ?=|\bSELECT [a-zA-Z_*, ]{1,80} FROM [a-zA-Z_"`[.\]]/,
  },
  {
    kind: 'sql',
    pattern:
      /\bunion (?:all )?select\b|\bdrop (?:table|database|schema) [a-z_"`[]{1,60} ?(?:$|;|cascade)|\btruncate table\b|\bxp_cmdshell\b|\bselect \* from\b|['"] ?;? ?(?:delete from|drop table|insert into|update [a-z_]{1,60} set)\b/i,
  },
  {
    kind: 'sql',
    pattern: /['"] ?(?:or|and) ['"]?[0-9a-z]{1,8}['"]? ?= ?['"]?[0-9a-z]{1,8}|['"] ?; ?--/i,
  },
  { kind: 'template', pattern: /\$\{jndi:|<%[=@ ]|\{\{ ?[0-9_('"]|\{%-? |#\{[a-zA-Z_]|<\?php\b/i },
  {
    kind: 'formula',
    pattern:
      /^[=+@-] ?(?:cmd\||hyperlink\(|webservice\(|importxml\(|importdata\(|dde\(|exec\(|call\(|register\(|sum\([^)\n]{0,20}\)[+*]?cmd)|\|' ?\/c /i,
  },
  {
    kind: 'macro',
    pattern: /\bsub auto_?open ?\(|\bcreateobject ?\( ?"wscript|\bwscript\.shell\b|\bshell ?\( ?"/i,
  },
  {
    kind: 'url',
    pattern:
      /\bfile:\/{2,3}[a-z./]|\b(?:vbscript|ms-msdt|search-ms):[a-z./]|\bdata:(?:text\/html|application\/(?:x-)?(?:javascript|sh|python))/i,
  },
  { kind: 'r', pattern: /\bsystem2? ?\( ?["']|\bdownload\.file ?\(|\bsource ?\( ?["']https?:/ },
  { kind: 'deserialise', pattern: /!!python\/|\brO0AB[A-Za-z0-9+/]|\bcos\nsystem\b/ },
]

/** File names whose content runs when it is opened or called. */
export const runnableFile =
  /\.(?:sh|bash|zsh|py|pyc|pyz|r|rb|pl|js|mjs|vbs|ps1|bat|cmd|exe|com|msi|scr|hta|jar|dll|so|dylib|bin|elf|apk|deb|rpm|whl|egg|ipynb|lua|wasm|docm|xlsm|pptm|lnk|iso|appimage|run)$/i

/** Packed or serialised things that carry code when they are unpacked or loaded. */
export const carriesCode =
  /\.(?:tar|tgz|gz|bz2|xz|zip|7z|rar|pkl|pickle|rds|rda|rdata|joblib|pt|pth|onnx|h5|keras|npz)$/i
