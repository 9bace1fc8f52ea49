// The part of the full UCUM library that the test of the unit table uses; it ships no types.
declare module '@lhncbc/ucum-lhc' {
  type Conversion = { status: string; toVal: number | null; msg: readonly string[] }
  const ucum: {
    UcumLhcUtils: {
      getInstance: () => { convertUnitTo: (from: string, value: number, to: string) => Conversion }
    }
  }
  export default ucum
}
