// Opentrons definitions out of the npm package `@opentrons/shared-data`: modules and their limits,
// pipettes, labware, decks, grippers, liquids, commands and error codes, read as JSON by path.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { GraphBuilder, LimitData } from '../graph.ts'
import type { Rec, SourceDir, SourceModule } from '../source.ts'
import { stated } from '../source.ts'

const name = 'opentrons-shared-data'

export const opentronsData: SourceModule = { name, parse }

function parse(dir: SourceDir, graph: GraphBuilder): void {
  robots(dir, graph)
  modules(dir, graph)
  pipettes(dir, graph)
  labware(dir, graph)
  decks(dir, graph)
  others(dir, graph)
  commands(dir, graph)
  errors(dir, graph)
}

const list = (dir: SourceDir, folder: string): string[] =>
  existsSync(path.join(dir.dir, folder)) ? readdirSync(path.join(dir.dir, folder)).sort() : []

function robots(dir: SourceDir, graph: GraphBuilder): void {
  const names = [
    ['ot2', 'Opentrons OT-2', 'ot2'],
    ['flex', 'Opentrons Flex (OT-3)', 'ot3'],
  ] as const
  for (const [id, label, file] of names) {
    if (dir.has(`robot/definitions/1/${file}.json`)) dir.rec(`robot/definitions/1/${file}.json`)
    graph.node({
      id: `ot-robot:${id}`,
      category: 'lab_context',
      kind: 'robot',
      name: label,
      source: name,
    })
  }
}

type Numbered = { readonly words: string; readonly quantity: LimitData['quantity']; unit: string }

/** What each number in a module's `config` means; an unknown key still becomes a limit. */
const moduleLimits: Readonly<Record<string, Numbered>> = {
  PlateTemperature: { words: 'plate', quantity: 'temperature', unit: '°C' },
  ShakeSpeed: { words: 'shake speed', quantity: 'rotation', unit: 'rpm' },
  Temperature: { words: 'temperature', quantity: 'temperature', unit: '°C' },
  BlockTemperature: { words: 'block', quantity: 'temperature', unit: '°C' },
  LidTemperature: { words: 'lid', quantity: 'temperature', unit: '°C' },
  BlockVolume: { words: 'well volume', quantity: 'volume', unit: 'µL' },
  EngageHeight: { words: 'engage height', quantity: 'height', unit: 'mm' },
}

function modules(dir: SourceDir, graph: GraphBuilder): void {
  for (const file of list(dir, 'module/definitions/3')) {
    const rec = dir.rec(`module/definitions/3/${file}`)
    const model = rec.str('model')
    const id = `ot-module:${model}`
    const type = rec.str('moduleType')
    graph.node({
      id,
      category: 'lab_context',
      kind: 'module',
      name: rec.str('displayName'),
      text: `Opentrons module ${model} of type ${type}.`,
      aliases: [rec.str('displayName').replace(/ Module.*$/, ''), model],
      source: name,
    })
    graph.node({
      id: `ot-moduletype:${type}`,
      category: 'lab_context',
      kind: 'module-type',
      name: `Module type: ${type.replace(/Type$/, '')}`,
      source: name,
    })
    const edge = stated(graph, name)
    edge(id, 'is-a', `ot-moduletype:${type}`, file)
    for (const other of rec.strs('compatibleWith')) {
      edge(id, 'compatible-with', `ot-module:${other}`, file)
    }
    for (const deck of rec.optRec('slotTransforms').keys()) {
      edge(id, 'fits', `ot-deck:${deck}`, file)
    }
    const config = rec.optRec('config')
    for (const key of config.keys()) moduleLimit(rec, config, key, graph)
  }
}

function moduleLimit(rec: Rec, config: Rec, key: string, graph: GraphBuilder): void {
  const side = /^(min|max)(.+)$/.exec(key)
  const value = config.optNum(key)
  if (!side || value === null) return
  const known = moduleLimits[side[2] ?? '']
  const low = side[1] === 'min'
  const model = rec.str('model')
  const words = known?.words ?? String(side[2])
  graph.node({
    id: `ot-limit:${model}:${key}`,
    category: 'hw_safety',
    kind: 'limit',
    name: `Limit: ${rec.str('displayName')} ${words} ${low ? 'minimum' : 'maximum'} ${value} ${
      known?.unit ?? ''
    }`,
    text: `The ${rec.str('displayName')} must not go ${low ? 'below' : 'above'} ${value} ${
      known?.unit ?? ''
    } (${words}).`,
    source: name,
    ...(known
      ? {
          limit: {
            quantity: known.quantity,
            unit: known.unit,
            min: low ? value : null,
            max: low ? null : value,
          },
        }
      : {}),
  })
  stated(graph, name)(`ot-limit:${model}:${key}`, 'limits', `ot-module:${model}`, `${model}.json`)
}

/** GEN1 and GEN2 are printed; Flex pipettes are generation 3. Early model 1.x without it: GEN1. */
function generation(rec: Rec, version: string): string {
  const display = rec.str('displayCategory')
  if (display === 'FLEX') return version.startsWith('1') ? 'gen1' : 'gen3'
  return display.toLowerCase()
}

function pipettes(dir: SourceDir, graph: GraphBuilder): void {
  const base = 'pipette/definitions/2/general'
  for (const channels of list(dir, base)) {
    for (const model of list(dir, `${base}/${channels}`)) {
      for (const file of list(dir, `${base}/${channels}/${model}`)) {
        pipette(dir, { channels, model, file }, graph)
      }
    }
  }
}

type PipettePath = { readonly channels: string; readonly model: string; readonly file: string }

function pipette(dir: SourceDir, at: PipettePath, graph: GraphBuilder): void {
  const rec = dir.rec(`pipette/definitions/2/general/${at.channels}/${at.model}/${at.file}`)
  const gen = generation(rec, at.file)
  const own = `${at.channels}-${at.model}-${gen}`
  const id = `ot-pipette:${own}`
  const display = rec.str('displayName')
  const spoken = `${at.model} ${at.channels.replace(/_/g, ' ')}`
  graph.node({
    id,
    category: 'lab_context',
    kind: 'pipette',
    name: display,
    text: `Opentrons pipette ${at.model}, ${rec.num('channels')} channel(s), ${gen}.`,
    aliases: [spoken, `${spoken} pipette`, ...rec.strs('backCompatNames')],
    source: name,
  })
  const edge = stated(graph, name)
  edge(id, 'mounts-on', gen === 'gen3' ? 'ot-robot:flex' : 'ot-robot:ot2', `general/${own}`)
  const liquidFile = `pipette/definitions/2/liquid/${at.channels}/${at.model}/default/${at.file}`
  if (!dir.has(liquidFile)) return
  const liquid = dir.rec(liquidFile)
  const [min, max] = [liquid.optNum('minVolume'), liquid.optNum('maxVolume')]
  if (max === null) return
  graph.node({
    id: `ot-limit:${own}`,
    category: 'hw_safety',
    kind: 'limit',
    name: `Limit: ${display} volume ${min ?? 0}–${max} µL`,
    text: `The ${display} moves at least ${min ?? 0} and at most ${max} µL in one stroke.`,
    aliases: [spoken],
    source: name,
    limit: { quantity: 'volume', unit: 'µL', min, max },
  })
  edge(`ot-limit:${own}`, 'limits', id, `liquid/${own}`)
  for (const rack of liquid.strs('defaultTipracks')) {
    edge(id, 'uses', `ot-labware:${rack.split('/')[1] ?? ''}`, `liquid/${own}`)
  }
}

function labware(dir: SourceDir, graph: GraphBuilder): void {
  for (const schema of ['2', '3']) {
    const base = `labware/definitions/${schema}`
    for (const loadName of list(dir, base)) {
      const newest = list(dir, `${base}/${loadName}`)
        .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
        .at(-1)
      if (newest) labwareOne(dir.rec(`${base}/${loadName}/${newest}`), loadName, graph)
    }
  }
}

function labwareOne(rec: Rec, loadName: string, graph: GraphBuilder): void {
  const id = `ot-labware:${loadName}`
  const meta = rec.rec('metadata')
  const category = meta.str('displayCategory')
  const wells = rec.optRec('wells')
  const first = wells.keys()[0]
  const volume = first ? wells.rec(first).optNum('totalLiquidVolume') : null
  graph.node({
    id,
    category: 'lab_context',
    kind: 'labware',
    name: meta.str('displayName'),
    text: `${category}, ${wells.keys().length} wells${volume ? ` of ${volume} µL` : ''}.`,
    aliases: [loadName.replace(/_/g, ' ')],
    source: name,
  })
  graph.node({
    id: `labwarecat:${category}`,
    category: 'lab_context',
    kind: 'labware-category',
    name: `Labware category: ${category}`,
    source: name,
  })
  const edge = stated(graph, name)
  edge(id, 'is-a', `labwarecat:${category}`, loadName)
  const brand = rec.rec('brand').str('brand')
  const vendor = `vendor:${brand.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  graph.node({
    id: vendor,
    category: 'lab_context',
    kind: 'vendor',
    name: `Vendor: ${brand}`,
    source: name,
  })
  edge(id, 'made-by', vendor, loadName)
  for (const module of rec.optRec('stackingOffsetWithModule').keys()) {
    edge(id, 'stacks-on', `ot-module:${module}`, loadName)
  }
  for (const other of rec.optRec('stackingOffsetWithLabware').keys()) {
    if (other !== 'default') edge(id, 'stacks-on', `ot-labware:${other}`, loadName)
  }
}

function decks(dir: SourceDir, graph: GraphBuilder): void {
  for (const file of list(dir, 'deck/definitions/5')) {
    const rec = dir.rec(`deck/definitions/5/${file}`)
    const own = file.replace('.json', '')
    const id = `ot-deck:${own}`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'deck',
      name: rec.rec('metadata').str('displayName'),
      source: name,
    })
    const edge = stated(graph, name)
    edge(id, 'deck-of', own.startsWith('ot3') ? 'ot-robot:flex' : 'ot-robot:ot2', file)
    for (const part of rec.rec('locations').list('addressableAreas')) {
      const area = `ot-area:${own}:${part.str('id')}`
      deckPart(area, 'deck-area', `${part.str('displayName')} (${own})`, graph)
      edge(area, 'part-of', id, file)
    }
    for (const part of rec.rec('locations').list('cutouts')) {
      const cutout = `ot-cutout:${own}:${part.str('id')}`
      deckPart(cutout, 'deck-cutout', `${part.str('displayName')} (${own})`, graph)
      edge(cutout, 'part-of', id, file)
    }
    for (const part of rec.list('cutoutFixtures')) fixture(part, own, file, graph)
  }
}

function deckPart(id: string, kind: string, label: string, graph: GraphBuilder): void {
  graph.node({ id, category: 'lab_context', kind, name: label, source: name })
}

function fixture(part: Rec, own: string, file: string, graph: GraphBuilder): void {
  const id = `ot-fixture:${own}:${part.str('id')}`
  deckPart(id, 'deck-fixture', `${part.str('displayName')} (${own})`, graph)
  const edge = stated(graph, name)
  edge(id, 'part-of', `ot-deck:${own}`, file)
  for (const cutout of part.strs('mayMountTo')) {
    edge(id, 'mounts-on', `ot-cutout:${own}:${cutout}`, file)
  }
  const provides = part.optRec('providesAddressableAreas')
  for (const cutout of provides.keys()) {
    for (const area of provides.strs(cutout)) {
      edge(id, 'provides', `ot-area:${own}:${area}`, file)
      edge(`ot-cutout:${own}:${cutout}`, 'holds', `ot-area:${own}:${area}`, file)
    }
  }
}

function others(dir: SourceDir, graph: GraphBuilder): void {
  for (const file of list(dir, 'gripper/definitions/1')) {
    const rec = dir.rec(`gripper/definitions/1/${file}`)
    const id = `ot-gripper:${rec.str('model')}`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'gripper',
      name: `${rec.str('displayName')} (${rec.str('model')})`,
      source: name,
    })
    stated(graph, name)(id, 'mounts-on', 'ot-robot:flex', file)
  }
  for (const liquid of list(dir, 'liquid-class/definitions/1')) {
    const newest = list(dir, `liquid-class/definitions/1/${liquid}`).at(-1)
    if (!newest) continue
    const rec = dir.rec(`liquid-class/definitions/1/${liquid}/${newest}`)
    const id = `ot-liquid:${liquid}`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'liquid-class',
      name: `Liquid class ${rec.str('displayName')}: ${rec.str('description')}`,
      source: name,
    })
    for (const by of rec.list('byPipette')) {
      for (const tip of by.list('byTipType')) {
        const rack = tip.str('tiprack').split('/')[1] ?? ''
        stated(graph, name)(id, 'defined-for', `ot-labware:${rack}`, `${liquid}/${newest}`)
      }
    }
  }
}

function commands(dir: SourceDir, graph: GraphBuilder): void {
  const newest = list(dir, 'command/schemas')
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .at(-1)
  if (!newest) return
  const definitions = dir.rec(`command/schemas/${newest}`).rec('$defs')
  for (const key of definitions.keys()) {
    if (!key.endsWith('Create')) continue
    const properties = definitions.rec(key).rec('properties')
    const named = properties.rec('commandType')
    const type = named.optStr('const') || named.strs('enum')[0] || named.fail('a command type')
    const params = properties.rec('params').optStr('$ref').split('/').at(-1) ?? ''
    const fields = definitions.optRec(params).optRec('properties')
    graph.node({
      id: `ot-cmd:${type}`,
      category: 'lab_context',
      kind: 'robot-command',
      name: `Robot command ${type}`,
      text: `${definitions.optRec(params).optStr('description')} Parameters: ${fields
        .keys()
        .join(', ')}.`,
      aliases: [type.replace(/\//g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')],
      source: name,
    })
    const family = /^(\w+)\//.exec(type)?.[1]
    const module = `ot-moduletype:${family}${family?.endsWith('Module') ? '' : 'Module'}Type`
    const at = `${newest}#${key}`
    if (family && graph.has(module)) stated(graph, name)(`ot-cmd:${type}`, 'commands', module, at)
    else {
      for (const robot of ['ot-robot:flex', 'ot-robot:ot2']) {
        stated(graph, name)(`ot-cmd:${type}`, 'commands', robot, at)
      }
    }
  }
}

function errors(dir: SourceDir, graph: GraphBuilder): void {
  const rec = dir.rec('errors/definitions/1/errors.json')
  const kinds = rec.rec('categories')
  for (const key of kinds.keys()) {
    graph.node({
      id: `ot-errcat:${key}`,
      category: 'failures',
      kind: 'error-category',
      name: `Opentrons error category: ${kinds.rec(key).str('detail')}`,
      source: name,
    })
    for (const robot of ['ot-robot:flex', 'ot-robot:ot2']) {
      stated(graph, name)(`ot-errcat:${key}`, 'error-of', robot, 'errors.json')
    }
  }
  const codes = rec.rec('codes')
  for (const code of codes.keys()) {
    const one = codes.rec(code)
    graph.node({
      id: `ot-err:${code}`,
      category: 'failures',
      kind: 'error-code',
      name: `Opentrons error ${code}: ${one.str('detail')}`,
      source: name,
    })
    stated(graph, name)(
      `ot-err:${code}`,
      'in-category',
      `ot-errcat:${one.str('category')}`,
      `errors.json#${code}`,
    )
  }
}
