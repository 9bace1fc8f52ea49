// What code in a sandbox has no business with (POL-11): network, device bus, host. As data, each
// pattern from the linear subset. Module names are compared as words, not by pattern.

/** Python modules and R packages that open a network, a bus or the host. */
export const reachingModules: ReadonlyMap<string, 'network' | 'device' | 'host'> = new Map([
  ...'socket ssl requests urllib urllib2 urllib3 http httpx aiohttp httplib ftplib smtplib imaplib poplib telnetlib paramiko fabric websocket websockets xmlrpc socketserver grpc zmq nntplib asyncssh pycurl boto3 botocore azure google kafka redis pymongo psycopg2 mysql slack_sdk twilio httr httr2 curl RCurl rvest plumber shiny httpuv googlesheets4 mailR blastula'
    .split(' ')
    .map((name) => [name, 'network'] as const),
  ...'serial pyserial usb pyusb hid pyvisa visa can pymodbus modbus_tk minimalmodbus smbus smbus2 spidev RPi gpiozero pigpio periphery opcua asyncua snap7 pylogix pycomm3 bluetooth bleak pybluez paho canopen ethercat pysoem rospy rclpy opentrons pylabrobot ophyd bluesky pynput pyautogui sila2 tecan'
    .split(' ')
    .map((name) => [name, 'device'] as const),
  ...'subprocess ctypes cffi pty fcntl termios docker kubernetes psutil pwd grp winreg win32api msvcrt importlib imp runpy pip setuptools processx callr'
    .split(' ')
    .map((name) => [name, 'host'] as const),
])

export type ReachRule = {
  readonly kind: 'network' | 'device' | 'host' | 'hidden'
  readonly effect: 'flag' | 'block'
  readonly pattern: RegExp
}

export const reachRules: readonly ReachRule[] = [
  {
    kind: 'host',
    effect: 'block',
    pattern:
      /\bos\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?|fork|kill|chroot|setuid|putenv)\b|\b(?:pty|posix)\.(?:spawn|system)\b/,
  },
  {
    kind: 'host',
    effect: 'block',
    pattern: /\bsystem2?(?:\(| \( ?["'])|\bshell(?:\.exec)? ?\( ?["']|\bpipe ?\( ?["']/,
  },
  {
    kind: 'device',
    effect: 'block',
    pattern:
      /\/dev\/(?:[a-z]+bus|tty|usb|i2c|spi|mem|port|hid|can|video|gpio|serial|input|kmsg|ser|lab)|\\\\\.\\|['"]COM[0-9]{1,3}['"]|\/sys\/(?:class|bus|devices)\b/i,
  },
  {
    kind: 'host',
    effect: 'block',
    pattern:
      /\/proc\/(?:self|[0-9]|sys|kcore)|\/etc\/(?:passwd|shadow|ssh|hosts|crontab|sudoers)|\/root\/|\/var\/run\/|docker\.sock|\.ssh\/|\.aws\/|\.kube\/|\/run\/secrets|\.\.\/\.\.\//,
  },
  {
    kind: 'network',
    effect: 'block',
    pattern: /169\.254\.169\.254|metadata\.google|\/dev\/(?:tcp|udp)\//,
  },
  {
    kind: 'network',
    effect: 'block',
    pattern:
      /[(,=] {0,3}[rfbu]?['"](?:https?|ftps?|wss?|tcp|udp|mqtts?|smtp|ssh|telnet|rtsp|modbus|opc\.tcp|amqp|redis|ldap):\/\//i,
  },
  {
    kind: 'network',
    effect: 'block',
    pattern:
      /\bdownload\.file ?\(|\bsocketConnection ?\(|\burl ?\( ?["']|\bcurl_(?:fetch|download)|\binstall\.packages ?\(|\binstall_(?:github|version|cran)\b|\bpip3? install\b|\b(?:curl|wget) -|\b(?:curl|wget) https?:/,
  },
  {
    kind: 'hidden',
    effect: 'block',
    pattern:
      /__import__|\bimport_module ?\(|__builtins__|__subclasses__|__globals__|\b(?:eval|exec) ?\( ?(?:base64|bytes|codecs|zlib|marshal|compile|chr|['"]{1,3}\.join|bytearray)|\bmarshal\.loads ?\(|\bpickle\.loads? ?\(|\bparse ?\( ?text ?= ?(?:rawToChar|base64)/,
  },
  {
    kind: 'hidden',
    effect: 'flag',
    pattern:
      /(?:^|[^.\w])(?:eval|exec|compile)\( ?[a-zA-Z_'"(]|\bgetattr ?\( ?(?:os|sys|builtins)\b|\bglobals ?\( ?\) ?\[|\beval ?\( ?parse ?\(/,
  },
  {
    kind: 'host',
    effect: 'flag',
    pattern:
      /\bos\.(?:environ|getenv|remove|unlink|rmdir|chmod|rename)\b|\bSys\.(?:getenv|setenv)\b|\bshutil\.rmtree\b|\bunlink ?\( ?["']/,
  },
  {
    kind: 'device',
    effect: 'flag',
    pattern: /\b(?:spi|i2c|modbus|can|uart|serial|gpio)_?(?:write|read|open|send|bus)\b/i,
  },
]
