// Our own facts, in our own words: substances, hazards, reactivity, devices, failures, techniques.
// They make the embedded graph real and add synonyms to the full one.
import chemicals from './facts/chemicals.json' with { type: 'json' }
import devices from './facts/devices.json' with { type: 'json' }
import equipment from './facts/equipment.json' with { type: 'json' }
import failures from './facts/failures.json' with { type: 'json' }
import hazards from './facts/hazards.json' with { type: 'json' }
import reactivity from './facts/reactivity.json' with { type: 'json' }
import techniques from './facts/techniques.json' with { type: 'json' }
import { slug, type GraphBuilder, type NodeInput } from './graph.ts'
import { divisions } from './sources/hmt.ts'
import { stated } from './source.ts'

const source = 'own'

/** Adds every own fact. Nodes that a public source already defined keep its text. */
export function addFacts(graph: GraphBuilder): void {
  addHazards(graph)
  addChemicals(graph)
  addReactivity(graph)
  addDevices(graph)
  addTechniques(graph)
  // Our failure modes stand in for a public collection of unsafe decisions where there is none.
  if (graph.has('lsb-cat:Most_Common_Hazards')) return
  for (const fact of failures) {
    node(graph, { ...fact, category: 'failures', kind: 'failure-mode' })
    for (const to of fact.about) edge(graph, fact.id, 'about', to, 'failures.json')
  }
}

type Own = Omit<NodeInput, 'source'>

const node = (graph: GraphBuilder, input: Own): void => graph.node({ ...input, source })

/** Our own record is the source: stated, and traced to the fact file. */
function edge(graph: GraphBuilder, from: string, kind: string, to: string, at: string): void {
  stated(graph, source)(from, kind, to, at)
}

function addHazards(graph: GraphBuilder): void {
  for (const [division, words] of Object.entries(divisions)) {
    node(graph, {
      id: `dot:${division}`,
      category: 'hw_safety',
      kind: 'hazard-division',
      name: `DOT class ${division}: ${words}`,
    })
  }
  for (const fact of hazards) {
    node(graph, {
      id: fact.id,
      category: 'hw_safety',
      kind: 'hazard-statement',
      name: fact.name,
      text: fact.name,
      aliases: fact.aka,
    })
    const cls = `own:hazard:${slug(fact.class)}`
    node(graph, {
      id: cls,
      category: 'hw_safety',
      kind: 'hazard-group',
      name: `Hazard group: ${fact.class}`,
    })
    edge(graph, fact.id, 'in-group', cls, `hazards.json#${fact.id}`)
  }
}

function addChemicals(graph: GraphBuilder): void {
  for (const fact of chemicals) {
    const un = /^hmt:(UN\d+)/.exec(fact.id)?.[1] ?? ''
    node(graph, {
      id: fact.id,
      category: 'hw_safety',
      kind: 'chemical',
      name: fact.name,
      text: `${fact.name}. ${un} ${divisions[fact.dot] ?? ''}.${
        fact.bp === null ? '' : ` Boils at ${fact.bp} °C.`
      }`,
      aliases: [fact.name, ...fact.aka, un],
      // The boiling point is a limit of a kind: sealed heating close to it needs a person.
      ...(fact.bp === null
        ? {}
        : { limit: { quantity: 'temperature', unit: '°C', min: null, max: fact.bp } as const }),
    })
    const at = `chemicals.json#${fact.id}`
    if (fact.dot) edge(graph, fact.id, 'transport-class', `dot:${fact.dot}`, at)
    for (const h of fact.h) edge(graph, fact.id, 'has-hazard', `ghs:${h}`, at)
  }
}

/** `Incompatibility group 1-A: alkalies` → `alkalies`. */
const label = (name: string | undefined): string => (name ?? '').split(': ')[1] ?? ''

function addReactivity(graph: GraphBuilder): void {
  for (const fact of reactivity.groups) {
    node(graph, {
      id: fact.id,
      category: 'hw_safety',
      kind: 'reactive-group',
      name: fact.name,
      aliases: fact.aka,
    })
  }
  for (const fact of reactivity.pairs) {
    const [a, b] = [graph.get(fact.a), graph.get(fact.b)]
    node(graph, {
      id: fact.id,
      category: 'hw_safety',
      kind: 'incompatibility',
      name: `Incompatible: ${label(a?.name)} with ${label(b?.name)}`,
      text: fact.text,
      aliases: fact.aka,
    })
    edge(graph, fact.id, 'concerns', fact.a, `reactivity.json#${fact.id}`)
    edge(graph, fact.id, 'concerns', fact.b, `reactivity.json#${fact.id}`)
    edge(graph, fact.a, 'incompatible-with', fact.b, `reactivity.json#${fact.id}`)
  }
  for (const fact of reactivity.own) {
    node(graph, {
      id: fact.id,
      category: 'hw_safety',
      kind: 'incompatibility',
      name: fact.name,
      text: fact.text,
      aliases: fact.aka,
    })
    const at = `reactivity.json#${fact.id}`
    edge(graph, fact.id, 'concerns', fact.a, at)
    edge(graph, fact.id, 'concerns', fact.b, at)
    for (const h of fact.h) edge(graph, fact.id, 'has-hazard', h, at)
  }
}

function addDevices(graph: GraphBuilder): void {
  for (const fact of equipment) {
    node(graph, {
      id: `equip:${slug(fact.name)}`,
      category: 'lab_context',
      kind: 'equipment-kind',
      name: `Equipment: ${fact.name}`,
      aliases: fact.aka,
    })
  }
  // Which equipment is fed, emptied or loaded by which: a plan about one bears on the other.
  for (const fact of equipment) {
    for (const other of fact.works_with ?? []) {
      const from = `equip:${slug(fact.name)}`
      edge(graph, from, 'works-with', `equip:${slug(other)}`, `equipment.json#${fact.name}`)
    }
  }
  for (const fact of devices.generic) {
    node(graph, { ...fact, category: 'hw_safety', kind: 'limit' })
    edge(graph, fact.id, 'limits', fact.of, `devices.json#${fact.id}`)
  }
  for (const arm of devices.arms) {
    const kind = 'robot-or-component'
    node(graph, { id: arm.id, category: 'lab_context', kind, name: arm.name })
    edge(graph, arm.id, 'is-a', 'equip:robot-arm', `devices.json#${arm.id}`)
    for (const j of arm.joints) {
      const id = `joint:${arm.id.slice('robot:'.length)}:${j.joint}`
      node(graph, {
        id,
        category: 'hw_safety',
        kind: 'joint-limit',
        name: `${arm.name.replace(' robot arm', '')} ${j.joint} limits`,
        text: `Position ${j.min} to ${j.max} ${j.unit}.`,
        limit: { quantity: 'angle', unit: j.unit, min: j.min, max: j.max },
      })
      edge(graph, id, 'limits', arm.id, `devices.json#${id}`)
    }
  }
  const software = { id: 'sw:moveit', category: 'lab_context', kind: 'software' } as const
  node(graph, { ...software, name: 'MoveIt motion planning framework' })
  node(graph, {
    id: 'robot:franka-fr3',
    category: 'lab_context',
    kind: 'robot-or-component',
    name: 'Franka FR3 arm',
  })
  edge(graph, 'robot:franka-fr3', 'is-a', 'equip:robot-arm', 'devices.json#arms')
  edge(graph, 'sw:moveit', 'plans-for', 'equip:robot-arm', 'devices.json#arms')
  for (const fact of devices.errors) {
    node(graph, { id: fact.id, category: 'failures', kind: 'error-code', name: fact.name })
    edge(graph, fact.id, 'error-of', fact.of, `devices.json#${fact.id}`)
  }
}

function addTechniques(graph: GraphBuilder): void {
  for (const fact of techniques.techniques) {
    node(graph, { ...fact, category: 'adversarial' })
    const parent = /^(atlas:AML\.T\d{4})\.\d{3}$/.exec(fact.id)?.[1]
    if (parent) edge(graph, fact.id, 'child-of', parent, `techniques.json#${fact.id}`)
  }
  for (const goal of techniques.goals) {
    node(graph, { id: goal.id, category: 'adversarial', kind: 'attack-goal', name: goal.name })
    for (const of of goal.of) edge(graph, of, 'serves', goal.id, `techniques.json#${goal.id}`)
  }
}
