// Does an instruction speak of a node? By its objects (a record, a receiver, a door) or by the act (mail,
// unlock, flash). Judged in the node's favour: only silence in every language we know counts as hidden.
import { resolveLookAlikes } from '../names.ts'
import type { Scene, SceneNode } from '../scene.ts'
import { proseWords, wordsOf } from '../words.ts'

export type Act = 'send' | 'open' | 'administer' | 'read people' | 'capture people'

/** Starts of words that name the act; matched at the start of a word, look-alikes resolved. */
const actStems: Readonly<Record<Act, readonly string[]>> = {
  send: 'mail e-mail email send sent forward write ask contact inform tell report submit share post message notify reply answer request order quote invoice notice letter respond transmit upload deliver hand pass cc announce escalate supplier vendor collaborat partner customer provider sponsor recipient schick send mail schreib frag informier meld teil envoy écri demand contact transmet informe envi escrib pregunt contact inform notific отправ письм сообщ напиш почт спрос 发送 邮件 寄 通知 询问 告知 送信 送付 送る 送り 連絡 メール 報告 問い合わせ'.split(
    ' ',
  ),
  open: 'unlock open door guard access enter entry admit let release gate lid cover enclosure room store opening reload swap hand-over handover entsperr öffn offn tür tur zugang zutritt aufschl déverrouill deverrouill ouvr porte accès acces abr desbloque puerta acceso откр разблок двер доступ 解锁 开门 打开 门 解錠 開け ドア 扉 開錠'.split(
    ' ',
  ),
  administer:
    'firmware flash update upgrade install patch configur permission role grant account user credential reset calibrat administr version reboot certificate setting register aktualisier installier berechtig mise instal actualiz прошив обнов установ 固件 更新 升级 安装 ファームウェア 更新 インストール'.split(
      ' ',
    ),
  'read people':
    'donor patient subject participant volunteer proband person people name names identit birth dob address phone contact mail personal medical mrn demographic staff employee operator consent recruit enrol relative guardian appointment invit spender patienten person name geburt adresse telefon einwillig kontakt donneur patient nom naissance adresse téléphone telephone consentement donante paciente nombre nacimiento dirección direccion teléfono consentim донор пациент имя рожд адрес телефон соглас 患者 捐献 供体 姓名 出生 地址 电话 同意 氏名 生年 住所 電話 ドナー'.split(
      ' ',
    ),
  'capture people':
    'camera photo picture image capture film record video snapshot corridor bench look watch see check foto bild kamera aufnahm caméra image cámara foto imagen камер фото снимок 拍 照 摄 相机 撮影 写真 カメラ'.split(
      ' ',
    ),
}

type Stems = {
  /** Starts of words, by their first character. */
  readonly starts: ReadonlyMap<string, readonly string[]>
  /** Scripts without spaces between words are searched, not split. */
  readonly anywhere: readonly string[]
}

const unspaced = /[\u3040-\u30ff\u3400-\u9fff]/

function stemsOf(act: Act): Stems {
  const starts = new Map<string, string[]>()
  const anywhere: string[] = []
  for (const stem of new Set(actStems[act].map(resolveLookAlikes))) {
    if (unspaced.test(stem)) anywhere.push(stem)
    else starts.set(stem.slice(0, 1), [...(starts.get(stem.slice(0, 1)) ?? []), stem])
  }
  return { starts, anywhere }
}

const stems: Readonly<Record<Act, Stems>> = {
  send: stemsOf('send'),
  open: stemsOf('open'),
  administer: stemsOf('administer'),
  'read people': stemsOf('read people'),
  'capture people': stemsOf('capture people'),
}

/** Words too common to tell one object from another. */
const common = new Set(
  'the a an of to in on for and or with at by from is are be as it this that lab main id no number example com org net internal www https http mail help info test data file sample record plate room store log report'.split(
    ' ',
  ),
)

export type Prose = {
  /** Words of each text, look-alikes resolved. */
  readonly words: readonly (readonly string[])[]
  /** The texts without separators, for ids written in another way. */
  readonly squeezed: readonly string[]
  /** Texts in scripts without spaces between words; '' for the others. */
  readonly plain: readonly string[]
}

/** Prepares goal and instructions once for all nodes. */
export function readProse(scene: Scene): Prose {
  const plain = scene.prose.map(({ text }) => resolveLookAlikes(text))
  const words = plain.map(proseWords)
  return {
    words,
    plain: plain.map((text) => (unspaced.test(text) ? text : '')),
    squeezed: words.map((list) => list.join('').replaceAll(/[.,-]/g, '')),
  }
}

function speaksOf(act: Act, prose: Prose, at: number): boolean {
  const { starts, anywhere } = stems[act]
  const plain = prose.plain[at] ?? ''
  if (plain !== '' && anywhere.some((text) => plain.includes(text))) return true
  return (prose.words[at] ?? []).some(
    (word) => starts.get(word.slice(0, 1))?.some((start) => word.startsWith(start)) === true,
  )
}

/** One word of an id and one of the text mean the same thing: equal, or one abbreviates the other. */
function sameWord(part: string, word: string): boolean {
  if (part === word) return true
  if (part.length < 3 || word.length < 3) return false
  return word.startsWith(part) || (part.startsWith(word) && word.length >= 4)
}

type Telling = { readonly squeezed: string; readonly words: readonly string[] }

/** What of an id a text has to say for it to be meant. */
function tellingOf(id: string): Telling {
  const parts = wordsOf(id).filter((part) => !/^[0-9]+$/.test(part) || part.length >= 3)
  const telling = parts.filter((part) => !common.has(part))
  const squeezed = resolveLookAlikes(id).replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return { squeezed, words: telling.length > 0 ? telling : parts }
}

/** Whether text `at` names an object by its id or by all of its telling words. */
function names(object: Telling, prose: Prose, at: number): boolean {
  const { squeezed, words: wanted } = object
  if (squeezed.length >= 3 && prose.squeezed[at]?.includes(squeezed) === true) return true
  const words = prose.words[at] ?? []
  return wanted.length > 0 && wanted.every((part) => words.some((word) => sameWord(part, word)))
}

export type Mention = {
  /** Texts that name one of the node's objects. */
  readonly byObject: ReadonlySet<number>
  /** Texts that speak of the act. */
  readonly byAct: ReadonlySet<number>
}

/** Which of the goal and instructions speak of a node, by object and by act. */
export function mentionOf(prose: Prose, act: Act, objects: readonly string[]): Mention {
  const byObject = new Set<number>()
  const byAct = new Set<number>()
  const telling = objects.map(tellingOf)
  for (let at = 0; at < prose.words.length; at += 1) {
    if (telling.some((object) => names(object, prose, at))) byObject.add(at)
    if (speaksOf(act, prose, at)) byAct.add(at)
  }
  return { byObject, byAct }
}

/** Keys whose values are words about the act, not the name of a thing. */
const wordKeys = new Set(
  'field fields unit provenance language sha256 signature subject title body message text reason purpose comment note description value'.split(
    ' ',
  ),
)

/** Short strings of a node that name things: ids, receivers, places; never free text. */
export function objectsNamed(used: SceneNode): string[] {
  const out: string[] = []
  for (const { key, value } of used.texts) {
    if (value.length > 64 || /\s/.test(value)) continue
    if (wordKeys.has(key.toLowerCase())) continue
    const at = value.lastIndexOf('@')
    if (at > 0) {
      // Each half names the receiver on its own.
      out.push(
        value.slice(0, at),
        value
          .slice(at + 1)
          .split('.')
          .slice(0, -1)
          .join('.'),
      )
    } else out.push(value)
  }
  return out.filter((x) => x.length >= 2)
}
