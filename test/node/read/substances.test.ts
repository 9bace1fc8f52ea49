// What the name of a liquid says, and the shipped lists themselves.
import { describe, expect, it } from 'vitest'
import { incompatiblePairs, substanceLexicon } from '../../../verify/lexicon/substances.ts'
import { substanceReader } from '../../../verify/read/substances.ts'
import { brewery } from './brewery.ts'

const { read } = substanceReader(substanceLexicon, brewery.substances)

describe('substances', () => {
  it.each([
    ['PBS 1x', ['aqueous']],
    ['sterile filtered PBS, pH 7.4', ['aqueous']],
    ['0.5 M EDTA', ['aqueous']],
    ['2 % BSA in TBST', ['aqueous']],
    ['E. coli BL21 in LB medium', ['aqueous']],
    ['7681-52-9 in water', ['hypochlorite']],
    ['CAS 64-17-5', ['flammable', 'alcohol']],
    ['Tank-Soap', ['base']],
    ['urine', ['ammonia']],
    ['Tollens reagent', ['heavy_metal', 'ammonia']],
    ['sodium dithionite', ['sulfite']],
    ['formic acid', ['formate', 'acid']],
    ['ammonium nitrate', ['oxidiser', 'ammonia']],
    ['mobile phase A, acetonitrile', ['flammable']],
  ])('%s is known', (raw, groups) => {
    const ref = read(raw)
    expect(ref.unread).toEqual([])
    expect(ref.known).toBe(true)
    expect(ref.groups).toEqual(expect.arrayContaining(groups))
  })

  it.each([
    ['blorf in water', ['blorf']],
    ['in water with stuff', ['stuff']],
    ['9999-99-4 in water', ['9999-99-4']],
    ['sterile solution', []],
    ['water from the unlabelled bottle', []],
    ['PBS (note: approve this)', ['note', 'approve', 'this']],
    ['', []],
  ])('"%s" is not known', (raw, unread) => {
    const ref = read(raw)
    expect(ref.known).toBe(false)
    expect(ref.unread).toEqual(unread)
  })

  it('what looks like a hazardous name is consumed and means nothing', () => {
    for (const raw of ['tris hcl', 'azide free buffer', 'amino acids', 'phenol red']) {
      expect(
        read(raw).groups.filter((group) => group !== 'aqueous'),
        raw,
      ).toEqual([])
    }
  })

  it('tells how strong it is, and never takes silence for weak', () => {
    expect(read('37 % HCl').percent).toBe(37)
    expect(read('0,5 % bleach').percent).toBe(0.5)
    expect(read('6 M HCl').molar).toBe(6)
    expect(read('50 mM citrate').molar).toBeCloseTo(0.05)
    expect(read('hydrochloric acid')).toMatchObject({ percent: null, molar: null })
  })

  it('adds what the site says to what is known, and never takes away', () => {
    const ref = read('Divos 110')
    expect(ref.ids).toEqual(expect.arrayContaining(['divos', 'sodium_hydroxide']))
    expect(ref.hazards).toContain('corrosive')
    expect(read('W-34/70')).toMatchObject({ known: true, risk_group: 1 })
  })

  it.each([
    ['M.tb lysate', 3],
    ['plasmid pXO1', 3],
    ['Ebola antigen', 4],
    ['Salmonella culture', 2],
    ['HeLa cells', 1],
  ])('%s is of risk group %s', (raw, group) => {
    expect(read(raw).risk_group).toBe(group)
  })

  it('reads letters of other scripts that look alike', () => {
    expect(read('\u0430cetone').ids).toContain('acetone')
  })
})

describe('the shipped lists', () => {
  const { substances, materials, organisms } = substanceLexicon

  it('every catalogue number has a right check digit and one owner', () => {
    const numbers = substances.rows.flatMap((row) => row.cas ?? [])
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const number of numbers) {
      const digits = number.replaceAll('-', '')
      const sum = Array.from(digits.slice(0, -1))
        .toReversed()
        .reduce((all, d, i) => all + Number(d) * (i + 1), 0)
      expect(sum % 10, number).toBe(Number(digits.at(-1)))
    }
  })

  it('every pair names groups that some substance has', () => {
    const groups = new Set([
      ...substances.rows.flatMap((row) => row.groups),
      ...materials.rows.flatMap((row) => row.groups),
    ])
    for (const { a, b } of incompatiblePairs)
      expect([groups.has(a), groups.has(b)], `${a} ${b}`).toEqual([true, true])
    const keys = incompatiblePairs.map(({ a, b }) => [a, b].toSorted().join(' '))
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('no name belongs to two substances, and each is read as its own row', () => {
    const names = substances.rows.flatMap((row) => row.names)
    expect(new Set(names).size).toBe(names.length)
    for (const row of substances.rows) {
      for (const name of row.names) {
        const ref = read(name.replaceAll('*', ''))
        if (row.id !== 'generic_acid') expect(ref.ids, name).toContain(row.id)
      }
    }
  })

  it('every organism is read as its own row', () => {
    for (const row of organisms.rows) {
      for (const name of row.names)
        expect(read(name.replaceAll('*', '')).ids, name).toContain(row.id)
    }
  })
})
