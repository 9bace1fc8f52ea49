// A little grammar: how a procedure speaks (imperatives) and how a story speaks (finite verbs about
// circumstances). Used to tell "do this" from "it is so", never to judge what is said.

/** Verbs with which an instruction of a laboratory procedure begins. */
export const imperatives = new Set(
  'accept acidify activate add adjust adopt aliquot allow analyse analyze anneal append apply approach archive arm ask aspirate assemble assign attach attack autoclave await bake balance begin bleach block boil book bring build calculate calibrate call cap capture carry centrifuge change charge check choose clamp clean clear close coat collect combine compare compile complete compress compute concentrate confirm connect consolidate continue control convert cool copy correct count cover culture cut cycle decant declare degas deliver denature derive desalt destroy determine dialyse digest dilute dip discard disconnect dispense display dispose dissolve distil distribute document double draft drain draw drop dry elute email empty enable end enter equilibrate establish estimate evaluate evaporate examine exchange exclude execute expect expose express extract fetch file fill filter finish fit fix flag flash flush follow format forward freeze freeze-dry gather generate get give go grip grow halt hand harvest heat hold homogenise hybridise identify image immerse include incubate induce infect inform inject inoculate insert inspect install invert irradiate isolate keep label lay layer leave let lift ligate link list load lock log look lower lyse mail make mark mask match measure melt merge meter mix model monitor mount move name neutralise normalise note notify observe obtain offer open order pack park passage pause perform photograph pick pipette place plan plate plot point pool position post pour precipitate predict preheat prepare present press print prioritise process produce program proceed propose provide pull pulse pump purge purify push put quantify quench query raise randomise rank read recalibrate recap receive record recover reduce refer refill reformat refresh register reject release reload remove rename repeat replace reply report reprogram request reserve reset resolve rest restart restore resume resuspend retain retrieve retry return review rinse rotate route run sample save scan schedule score seal search see seed select send separate sequence serve set settle shake share shift show shuttle sign simulate skip slow soak sonicate sort spike spin split spot spray spread stack stain start state stay stir stop store streak strip submit subtract suck sum suspend swab switch take tell test thaw tilt tip titrate top track transfect transfer transform transport treat trigger trim try tune turn type unload unlock unseal unscrew update upload use validate vent verify view vortex wait warm wash watch weigh wipe withdraw work write zip zero decolourise decolorize counterstain terminate kill rock drive halve throw screw clone delete swap answer rerun step stage shut bind bleed block blow bind count cross-check crush deactivate defrost detach drag elevate erase evacuate expel extend feed guide hang hide hook ignore impale inspect invite knock lean leach lend litter locate mill mount nod pack paste patch peel permit pin pinch plug pound pretend punch queue ramp reconnect reconstitute recycle redo reheat rehydrate replicate reseal reserve retain reverse roll rub saturate scrape screen script shear shield shine sieve sketch snap soak solubilise spool squeeze stabilise stamp standardise steam steer sterilise stretch strike strip summarise supply support survey swirl synchronise tape tare tear thread tick tighten title toggle touch trace trap trickle twist unclamp unfold unpack unplug untie vacuum vary void wake wet wrap present distribute consult tabulate predict compare forecast decide'.split(
    ' ',
  ),
)

/** Words that may stand before the imperative: "then mix", "slowly add". */
export const openers = new Set(
  'then now next first finally afterwards again also and or slowly gently carefully briefly quickly please step always only else otherwise else, in with at on after before for from to via under using by without once per within during'.split(
    ' ',
  ),
)

/** Finite verbs that state a circumstance. */
export const finiteVerbs = new Set(
  'is are must shall ought was were has have had will would can could may might does did says said wrote writes asks asked wants wanted needs needed shows showed stops stopped holds held carries carried smells looks looked seems seemed covers covered weighs lies belongs belonged works worked came went keeps kept annoys adds names lets allows requires failed arrived broke fell lost found turned told took ran got gave left reported promised forgot believes thinks knows expects means permits forbids exceeds disagrees agrees differs flickers reads drifts leaks stands sits remains lacks contains ends ended began expired lapsed opened closed missed refused revoked withdrew died changed moved stays stayed complains complained insists claims claimed assigns assigned names named'.split(
    ' ',
  ),
)

/** The same verbs in the plural, after a plural noun: "three wells sit on the cut-off". */
export const pluralVerbs = new Set(
  'sit stand lie show need look seem hold contain come differ disagree say stop fail read belong want carry exceed lack expire remain exist vary claim ask cover end begin leak miss fit'.split(
    ' ',
  ),
)

/** What follows a past tense in a story: "warmed by", "arrived yesterday". */
export const pastFollowers = new Set(
  'by this last yesterday today since briefly before twice once us me them it him her ago early late too'.split(
    ' ',
  ),
)

/** Words that open a condition; what follows is a plan for a case, not a claim. */
export const conditionals = new Set(
  'if when whenever once unless until while should in-case where provided else wait expect check confirm verify'.split(
    ' ',
  ),
)

/** Words that open a reason or a purpose inside a clause. */
export const reasons = new Set(
  'because since although though whereas however anyway regardless despite instead'.split(' '),
)

/** With these a clause speaks of somebody or something, not to the planner. */
export const subjects = new Set(
  'the a an this that these those two three four five several some most many all both each one another nobody somebody someone everyone everybody he she they it we i his her their our its ms mr mrs dr'.split(
    ' ',
  ),
)

/** Those who work along: "the technician presses the button" is part of the procedure. */
export const partners = new Set(
  'technician operator engineer nurse controller drive robot arm device driver person machine cycler shaker centrifuge camera'.split(
    ' ',
  ),
)
