// Every bound on what a peer can send or make us keep, in one place, each with its reason.
// At limit + 1 the answer is a clear error and nothing is lost (invariant 9).

export const limits = {
  // --- plans ---
  /** A 256-node plan with generous args is about 120 KB; twice that leaves room for text. */
  planBytesMax: 262_144,
  /** Deeper nesting has no use in tool arguments and costs stack in every consumer. */
  jsonDepthMax: 32,
  /** Bounds the work of every per-value check (screen, flow, canonical form). */
  jsonValuesMax: 20_000,
  /** A goal is one paragraph. */
  goalCharsMax: 2_000,
  instructionsMax: 100,
  /** Long enough for a paragraph; longer text hides steps from a reader. */
  instructionCharsMax: 4_000,
  /** The paper's plans have tens of nodes; 256 keeps graph work and tokens small. */
  nodesMax: 256,
  /** Sentences read one by one; a hundred instructions of twenty. What is over it is one last sentence. */
  sentencesMax: 2_000,
  idCharsMax: 64,
  toolNameCharsMax: 128,
  /** One node's arguments in canonical form. */
  argsBytesMax: 65_536,
  /** References and compared numbers of one plan: each is a line of the context. */
  referencesMax: 1_024,
  /**
   * Values that admission looks at while it tries what references may become: the arguments of a node once
   * for both ends and for each closed value. Sixteen lists of 64 in arguments of a hundred values.
   */
  referenceTrialValuesMax: 100_000,
  /** `when` and `require` of one plan together: each makes two cases of everything behind it. */
  conditionsMax: 16,
  /** Comparisons of one condition, all of which are signed when a node is skipped. */
  comparisonsMax: 16,
  /** A text that a condition compares; what is longer is none of the closed texts. */
  comparedCharsMax: 200,
  /** A place inside a node's arguments that a reference may stand at. */
  conversionAtCharsMax: 1_000,
  /** Violations listed in one 422; more would only be noise for the planner. */
  violationsMax: 50,

  // --- registry ---
  /** What one device server lists, as text: a registry made of it would be as large. */
  toolListBytesMax: 1_048_576,
  toolsMax: 512,
  registryBytesMax: 1_048_576,
  /** 512 tools with schemas of a hundred values each, with room for the site's tables. */
  registryValuesMax: 200_000,
  toolTimeoutMsMax: 86_400_000,
  patternCharsMax: 512,
  /** The longest pattern of the shipped injection library is about half of this. */
  regexCharsMax: 8_192,
  /** Positions of a pattern with its repetitions written out; bounds the proof's memory. */
  regexStatesMax: 8_192,
  /** Work per character of text that a pattern may cost; 1,024 steps are about 5 µs. */
  regexStepsPerCharMax: 1_024,
  /** Bounds of the linear-time proof itself, which runs when a pattern is approved. */
  regexFrontsMax: 20_000,
  regexProofWorkMax: 4_000_000,

  /** Example plans of a draft, each tried after every answer, and what they may weigh. */
  draftExamplesMax: 40,
  draftExamplesBytesMax: 262_144,
  /** Answers to questions about a draft in one call: each tries all example plans. */
  draftAnswersMax: 5,
  /** A row of D1 holds 2,000,000 bytes: file, examples and answers of a draft, with room for the rest of it. */
  draftBytesMax: 1_900_000,
  /** Answers that are kept beside a draft: the oldest go first. */
  draftAnswersKept: 500,
  /** Plans that a proposed site file or policy is tried on: some days of a busy lab. */
  previewPlansMax: 200,
  /** Of these in one call: each asks one object, and a call may ask some dozens. */
  previewPlansPerCall: 25,
  /** Time of one such call, after which the rest is left to the next. */
  previewMs: 10_000,

  /** Texts of one plan that are hidden from vendors: each costs a search of every prompt. */
  hiddenTextsMax: 300,

  // --- floor and opinions ---
  /** Findings kept per plan; at the bound the floor adds FINDINGS_TRUNCATED, which blocks. */
  findingsMax: 200,
  claimCharsMax: 600,
  reasoningStepsMax: 20,
  judgeReplyBytesMax: 262_144,
  judgesMax: 7,
  /** Raw bytes of one model answer: streaming frames cost about eight times the text they carry. */
  modelBodyBytesMax: 2_097_152,
  /** Calls recorded per plan: seven judges with five samples, the chief, and a few restarts. */
  callsPerPlanMax: 200,
  /** A longer request body is recorded by its length alone. */
  callBodyBytesMax: 1_000_000,
  /** All calls of one plan together; later ones leave no record, and the list says how many. */
  callsBytesMax: 33_554_432,
  /** One page of recorded calls ends once it is larger than this. */
  callsPageBytesMax: 4_194_304,
  /** Lines of the knowledge graph in one prompt: what bears on the plan, not what is near it. */
  knowledgeLinesMax: 25,
  knowledgeCharsMax: 12_000,
  /**
   * What a plan brings into one judge's prompt, in tokens estimated from above (2.5 characters each):
   * itself, its tools, knowledge, steps and questions. Beyond it a person decides, so that a long text
   * cannot run up the bill: about a hundred nodes with their arguments.
   */
  planTokensMax: 10_000,
  /** The whole prompt, with the site's rules and tables, which are the same for every plan. */
  promptTokensMax: 48_000,
  /** Sentences of the dry run in one prompt: one a step, and as many facts of its trace. */
  stepLinesMax: 512,
  /** One claim in the chief's input: a sentence or two. */
  chiefClaimCharsMax: 300,
  /** Steps of reasoning of one judge that the chief gets. */
  chiefStepsMax: 8,

  // --- people ---
  rationaleCharsMax: 4_000,
  reviewApproversMax: 4,
  /** People who are written to when a review is nearly over. */
  secondReviewersMax: 10,
  /** Mail that one person gets of one site in an hour; more is read by nobody. */
  mailsPerPersonPerHour: 12,

  // --- frames between gateway and agent ---
  /** A welcome holds the plan, its tool rows and the manifest of 256 nodes; an agent frame is far smaller. */
  agentFrameBytesMax: 65_536,
  gatewayFrameBytesMax: 2_097_152,
  /** A reading, a table of a plate, a page of text; with its frame it stays under an agent's frame. */
  resultBytesMax: 32_768,
  resultDepthMax: 16,
  resultValuesMax: 4_096,
  /** Images and files of one answer that are kept by digest. */
  resultPartsMax: 32,
  resultTypeCharsMax: 120,
  /** One piece of a kept part on its way: in base64 it fits into a frame of an agent. */
  partPieceBytes: 36_864,
  /** Pieces that a site asks its agents for at the same time: pictures must not delay a `go`. */
  partPiecesInFlightMax: 4,
  /** How long an agent may take for one piece. */
  partPieceMs: 10_000,
  /** Kept parts on an agent's disk, all together: about a hundred large images; the oldest go first. */
  resultStoreBytesMax: 1_073_741_824,
  /** Ten years. */
  resultKeepMsMax: 315_360_000_000,
  /** Sensors that must hold before one call: doors, flows, temperatures, interlocks of one device. */
  preconditionsMax: 16,
  /** A start with sixteen readings, each with a text and a digest. */
  startCharsMax: 12_288,
  /** A tool's own words of how far it is: one line. */
  progressCharsMax: 200,
  /** What a running call says is passed on at most so often, the newest word first. */
  progressEveryMs: 1_000,
  /** A step is late once it is over its stated time by this, and by this share of the time itself. */
  stepLateMs: 60_000,
  stepLateShare: 0.25,
  /** People hear of what is wrong within a minute; a look asks D1 and each running session once. */
  incidentsEveryMs: 20_000,
  /** How far back plans are looked at for judges that do not answer and for refusals; how many at most. */
  incidentsBackMs: 600_000,
  incidentsPlansMax: 60,
  /** A queue in which nothing runs is old after this. */
  queueOldMs: 900_000,
  /** A review is about to expire from this on. */
  reviewExpiresSoonMs: 900_000,
  /** Share of a day's money for judges from which on people are told. */
  budgetToldShare: 0.9,
  /** Plans without a judge that should have spoken, before it is more than a slow moment of one vendor. */
  outagesTold: 2,
  /** Rejected plans of one planner within the time above. */
  refusalsTold: 20,
  /** A clock further off is told before it takes the agent out of service. */
  clockSkewToldMs: 2_000,
  /** Questions of a tool's server that one call has declined for people to see; more is only more of the same. */
  declinedPerCallMax: 8,
  /** Frames one session records for idempotent answers: a few per node, plus reconnects. */
  framesPerSessionMax: 4_096,
  /** MCP servers in one report of rest; a cell has a handful. */
  restDevicesMax: 64,
  /** A device's own words of why it did not stop: one line. */
  restDetailCharsMax: 200,
  /** Safe-stops of one cell; the answer to all of them has to fit a frame. */
  stopCallsMax: 96,
  /** Groups of a stop sequence, and how long a later one may be made to wait. */
  stopGroupsMax: 32,
  stopGroupMsMax: 600_000,
  /** Reports of rest that one session takes: changes of state, not a stream. */
  restReportsMax: 1_000,
  /** Starts of one session that wait for the site's authority at the same time. */
  startsInFlightMax: 1_024,
  /** Refusals, hellos and late reports that one session writes down, each; later ones leave no line. */
  repeatedEventsAuditedMax: 1_000,
  /** Connections of the bound key to one session at the same time. */
  socketsPerSessionMax: 64,
  /** A presence connection that has not proved its key by then is closed. */
  helloWithinMs: 10_000,
  /** Presence connections of one agent; the oldest goes when one more comes. */
  socketsPerAgentMax: 3,
  /** Presence connections of one site. */
  socketsPerHubMax: 256,

  /** Tools and pages of one MCP server: a site has at most 512, a server may offer more than it needs. */
  deviceToolsMax: 4_096,
  deviceToolPagesMax: 256,
  /** One answer of an MCP server over stdio: an image of 12 MB in base64 is 16 MB. */
  deviceAnswerBytesMax: 16_777_216,

  /** Frames that an agent cannot read before it drops the connection: a gateway of another language. */
  agentBadFramesMax: 16,
  /** Sessions that an agent keeps in mind at once: one runs, the others are owed a report or wait. */
  agentSessionsMax: 16,
  /** A key set of sixteen keys, each of a few hundred bytes, is more than any rotation needs. */
  jwksBytesMax: 65_536,
  jwksKeysMax: 16,

  // --- time ---
  /** A session that is over waits so long for the acknowledgement of its last report, then closes. */
  reportAckMs: 10_000,
  /** A `go` older than this is refused by the agent, measured on its own monotonic clock. */
  goLifetimeMs: 500,
  /** After a cut socket with the same boot id, how long a signed report is still taken. */
  reportGraceMs: 60_000,
  /** How long a session waits for the site's authority before it ends as unreachable. */
  authorityTimeoutMs: 5_000,
  /** When a pull is answered `wait`, ask again after this; a report usually comes first. */
  pullWaitMs: 250,
  /** 20 random bytes: nobody guesses one in the time that it lives. */
  enrolmentCodeBytes: 20,
  /** A code lives for the way from a desk to a machine, an hour at most. */
  enrolmentCodeS: 900,
  enrolmentCodeSMax: 3_600,
  /** A code that is over is still told from a wrong one for so long. */
  enrolmentCodeKeptMs: 7 * 86_400_000,
  /** An answer of /metrics stands for this long. */
  metricsFreshMs: 5_000,
  /** A one-time code with which a person signs in: how long it is good. */
  signInCodeMs: 15 * 60_000,
  /** A sign-in of a person: one working day, however much it is used. */
  signInMs: 12 * 3_600_000,
  /** Codes of one maker that nobody has used yet. */
  signInCodesOpenMax: 100,
  /** Open sign-ins of one credential; the oldest ends when one more is opened. */
  signInsPerCredentialMax: 10,
  /** Refused sign-ins of a site that leave a line in its trail in one hour; the rest are counted. */
  refusedSignInsTrailedMax: 60,
  /** What the identity provider says of a person, with the groups they are in. */
  accessAssertionCharsMax: 16_384,
  /** How long the identity provider may take to give its keys. */
  accessKeysMs: 3_000,
  /** Its keys are asked for again after this, and when one is named that is not among them: at most so often. */
  accessKeysFreshMs: 600_000,
  accessKeysEveryMs: 30_000,
  /** From the question to the touch: a person looks for the key, no longer. */
  passkeyChallengeMs: 120_000,
  /** Questions of one credential that wait for a touch: a few tabs. */
  passkeyChallengesMax: 20,
  passkeysPerCredentialMax: 10,
  /** A passkey is made anew once a year: one in a drawer opens nothing for ever. */
  passkeyMs: 365 * 86_400_000,
  /** Codes and sign-ins that are over are forgotten after this. */
  signInsKeptMs: 30 * 86_400_000,
  /** Agent JWTs at the upgrade live at most this long. */
  agentJwtLifetimeS: 60,
  clockSkewMsMax: 5_000,
  /** Health older than this counts as not operable. */
  presenceStaleMs: 30_000,
  armingMsMax: 28_800_000,
  decisionValidMsMax: 86_400_000,
  sessionMsMax: 86_400_000,
  waitSecondsMax: 25,
  /** A stream of events or an MCP call that follows a plan ends after this; the client asks again. */
  followSecondsMax: 300,
  /** Plans that one credential follows at a time in one isolate: a page for each of a day's plans. */
  followsPerCredentialMax: 16,
  followsPerSiteMax: 128,
  /** A place is free after this without a look at the plan; there is one every two seconds. */
  followSilentMs: 10_000,
  /** Whoever follows is looked up again after this; so long a revoked credential may still hear. */
  followCredentialMs: 3_000,

  // --- HTTP ---
  /** A body of 256 KiB takes 20 s at 100 kbit/s; slower ones only hold a connection open. */
  bodyMsMax: 20_000,
  /** How long one answer of /healthz stands for the next: strangers must not load the storage. */
  healthMsMax: 3_000,
  idempotencyKeyCharsMax: 128,
  /** How long a key is remembered. */
  idempotencyTtlMs: 86_400_000,
  listPageMax: 100,
  tokenCharsMax: 4_096,
  /** Sixteen compared texts of 200 characters, each written as six, and the rest of a report. */
  reportCharsMax: 32_768,
  /** A manifest of 256 nodes is larger than one token: about 200 characters a node. */
  manifestCharsMax: 131_072,

  // --- how often one may knock: sustained per second, and at once after a pause ---
  /** A page that polls asks once a second; a program that polls every 50 ms is let be. */
  requestsPerCredential: { perS: 100, burst: 500 },
  requestsPerSite: { perS: 400, burst: 2_000 },
  /** A plan costs some 0.2 s of processor time: a planner that thinks does not send five a second. */
  plansPerCredential: { perS: 5, burst: 40 },
  plansPerSite: { perS: 10, burst: 80 },
  /** Approving a registry of 512 tools takes seconds; people approve one a day. */
  heavyRequestsPerSite: { perS: 0.2, burst: 20 },
  /** An agent with a wrong key tries every few seconds; a guesser of secrets wants thousands. */
  failedSignInsPerAddress: { perS: 2, burst: 300 },
  /** Keys of one credential in a day; each is a row that is looked for at every submission. */
  idempotencyKeysPerCredentialMax: 10_000,

  // --- site state ---
  /** Plans of one site that are judged at the same time: more only delay one another and every go. */
  judgingPerSiteMax: 16,
  queuedPlansMax: 1_000,
  /** A quarter of the queue: one planner cannot keep the others out. */
  queuedPlansPerPlannerMax: 250,
  cellsPerSiteMax: 64,
  agentsPerSiteMax: 64,
  /** Standing approvals of a site, ended ones too: what people can keep an eye on. */
  templatesMax: 1_000,
  /** Values at the ends of the holes of one template: each is admitted once when it is proposed. */
  templateEndsMax: 256,
  auditEntriesPerPage: 200,
  /** Each is a handful of questions to objects; a look goes on with the next piece a second later. */
  keeperPlansPerPiece: 20,
  /** Rows of D1 that one statement deletes. */
  keeperNotesPerPiece: 500,
  /** Plans under a legal hold beside a hold of the whole site. */
  legalHoldsMax: 1_000,
  /** Plans in one page of an export: each is a few questions to objects of its own. */
  exportPlansPerPage: 50,
  /** Planners and people of one site; revoked ones do not count. */
  credentialsPerSiteMax: 1_000,
  /** A record of a cell: a deck of a hundred plates with contents well by well. */
  cellRecordBytesMax: 1_048_576,
  /** Bodies that people send: a rationale of 4,000 characters fits many times. */
  smallBodyBytesMax: 65_536,
  /** Model vendors' keys have at most a few hundred characters. */
  siteKeyCharsMax: 1_024,
} as const
