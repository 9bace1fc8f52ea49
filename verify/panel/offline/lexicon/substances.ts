// Common laboratory substances: names, hazard groups, boiling and flash points in °C.
// Source: general chemistry knowledge (GHS classes, handbook values, rounded); one row each.
// A name that is missing here is not safe: it is unknown (JUDGE_NO_POSITIVE_EVIDENCE).

export type HazardGroup =
  | 'acid'
  | 'base'
  | 'hypochlorite'
  | 'peroxide'
  | 'oxidiser'
  | 'ammonia'
  | 'azide'
  | 'cyanide'
  | 'sulfide'
  | 'guanidinium'
  | 'organic'
  | 'flammable'
  | 'halogenated'
  | 'volatile_toxic'
  | 'aldehyde'
  | 'water_reactive'
  | 'acid_chloride'
  | 'pyrophoric'
  | 'ketone'
  | 'alcohol'
  | 'heavy_metal'
  | 'carbonate'
  | 'toxic'
  | 'aqueous'
  | 'polyol'
  | 'strong_oxidiser'

export type Substance = {
  readonly id: string
  /** Alternatives, parted by `|`. */
  readonly names: string
  readonly groups: readonly HazardGroup[]
  readonly boilingC?: number
  readonly flashC?: number
}

const row = (
  id: string,
  names: string,
  groups: string,
  points: { boilingC?: number; flashC?: number } = {},
): Substance => ({
  id,
  names,
  groups: groups.split(' ').filter((g) => g !== '') as HazardGroup[],
  ...points,
})

const flammable = 'organic flammable'
const toxicVapour = 'organic flammable volatile_toxic'

export const substances: readonly Substance[] = [
  // Acids: gas with hypochlorite, azide, cyanide, sulfide; heat with bases and water.
  row(
    'hydrochloric_acid',
    'hydrochloric acid|hcl|muriatic acid|hydrogen chloride',
    'acid volatile_toxic',
  ),
  row('sulfuric_acid', 'sulfuric acid|sulphuric acid|h2so4', 'acid'),
  row('nitric_acid', 'nitric acid|hno3', 'acid oxidiser volatile_toxic'),
  row('phosphoric_acid', 'phosphoric acid|h3po4', 'acid'),
  row('perchloric_acid', 'perchloric acid|hclo4', 'acid oxidiser'),
  row('hydrofluoric_acid', 'hydrofluoric acid|hf', 'acid volatile_toxic toxic'),
  row('acetic_acid', 'acetic acid|glacial acetic|vinegar', 'acid organic', {
    boilingC: 118,
    flashC: 39,
  }),
  row('formic_acid', 'formic acid', 'acid organic volatile_toxic', { boilingC: 101, flashC: 49 }),
  row('trifluoroacetic_acid', 'trifluoroacetic acid|tfa', 'acid organic volatile_toxic', {
    boilingC: 72,
  }),
  row('trichloroacetic_acid', 'trichloroacetic acid|tca', 'acid organic'),
  row('citric_acid', 'citric acid|citrate ph 3', 'acid'),
  row('chromic_acid', 'chromic acid|chromosulfuric|chromic', 'acid oxidiser strong_oxidiser toxic'),
  row('piranha', 'piranha', 'acid oxidiser peroxide'),
  row('aqua_regia', 'aqua regia', 'acid oxidiser volatile_toxic'),
  row('generic_acid', 'acid|acidic|acidified|conc acid', 'acid'),
  // Bases.
  row('sodium_hydroxide', 'sodium hydroxide|naoh|caustic soda|lye', 'base'),
  row('potassium_hydroxide', 'potassium hydroxide|koh', 'base'),
  row('ammonia', 'ammonia|ammonium hydroxide|nh3|nh4oh|ammoniacal', 'base ammonia volatile_toxic'),
  row(
    'triethylamine',
    'triethylamine|diethylamine|diisopropylethylamine',
    'base organic flammable volatile_toxic',
    { boilingC: 89, flashC: -15 },
  ),
  row('piperidine', 'piperidine|pyridine|hydrazine', 'base organic flammable volatile_toxic', {
    boilingC: 106,
    flashC: 16,
  }),
  // Oxidisers.
  row(
    'hypochlorite',
    'bleach*|hypochlorite|naocl|chlorine solution|javel',
    'hypochlorite oxidiser',
  ),
  row('hydrogen_peroxide', 'hydrogen peroxide|h2o2|peroxide', 'peroxide oxidiser'),
  row('peracetic_acid', 'peracetic acid|peroxyacetic', 'peroxide oxidiser acid volatile_toxic'),
  row('permanganate', 'permanganate|kmno4', 'oxidiser strong_oxidiser'),
  row('nitrate_salt', 'ammonium nitrate|silver nitrate|nitrate', 'oxidiser'),
  // As a gel catalyst it is far too dilute to matter.
  row('persulfate', 'persulfate|persulphate|aps', ''),
  row(
    'perchlorate',
    'perchlorate|chlorate|dichromate|chromate|periodate',
    'oxidiser strong_oxidiser toxic',
  ),
  row('bromine', 'bromine', 'oxidiser strong_oxidiser volatile_toxic'),
  // Salts that give toxic or explosive products.
  row('azide', 'azide|nan3', 'azide toxic'),
  row('cyanide', 'cyanide|kcn|nacn', 'cyanide toxic'),
  row('sulfide', 'sulfide|sulphide|na2s', 'sulfide toxic'),
  row('guanidinium', 'guanidin*|gtc|guscn|chaotropic', 'guanidinium'),
  row('trizol', 'trizol|qiazol|tri reagent', 'guanidinium organic volatile_toxic'),
  // Flammable solvents.
  row('ethanol', 'ethanol|etoh|ethyl alcohol|spirit', `${flammable} alcohol`, {
    boilingC: 78,
    flashC: 13,
  }),
  row(
    'isopropanol',
    'isopropanol|2 propanol|propanol|isopropyl alcohol|ipa',
    `${flammable} alcohol`,
    { boilingC: 82, flashC: 12 },
  ),
  row('methanol', 'methanol|meoh', `${toxicVapour} alcohol`, { boilingC: 65, flashC: 11 }),
  row('butanol', 'butanol', `${flammable} alcohol`, { boilingC: 118, flashC: 29 }),
  row('acetone', 'acetone', `${flammable} ketone`, { boilingC: 56, flashC: -20 }),
  row('butanone', 'butanone|methyl ethyl ketone|mek', `${flammable} ketone`, {
    boilingC: 80,
    flashC: -9,
  }),
  row('acetonitrile', 'acetonitrile|mecn|acn', toxicVapour, { boilingC: 82, flashC: 2 }),
  row('diethyl_ether', 'diethyl ether|ether|mtbe|diisopropyl ether', toxicVapour, {
    boilingC: 35,
    flashC: -45,
  }),
  row('thf', 'thf|tetrahydrofuran', toxicVapour, { boilingC: 66, flashC: -14 }),
  row('dioxane', 'dioxane', toxicVapour, { boilingC: 101, flashC: 12 }),
  row('hexane', 'hexane|hexanes|pentane|heptane|petroleum ether|cyclohexane', toxicVapour, {
    boilingC: 69,
    flashC: -22,
  }),
  row('toluene', 'toluene|xylene|benzene', toxicVapour, { boilingC: 111, flashC: 4 }),
  row('ethyl_acetate', 'ethyl acetate|etoac|butyl acetate', flammable, {
    boilingC: 77,
    flashC: -4,
  }),
  row('carbon_disulfide', 'carbon disulfide', toxicVapour, { boilingC: 46, flashC: -30 }),
  row('dmf', 'dmf|dimethylformamide', 'organic toxic', { boilingC: 153, flashC: 58 }),
  row('dmso', 'dmso|dimethyl sulfoxide', '', { boilingC: 189, flashC: 87 }),
  row(
    'glycerol',
    'glycerol|glycerine|peg|polyethylene glycol|ethylene glycol|propylene glycol',
    'polyol',
    { boilingC: 197 },
  ),
  row('solvent', 'organic solvent|solvent', flammable, { boilingC: 60, flashC: 0 }),
  // Halogenated and aromatic toxic liquids.
  row('chloroform', 'chloroform|chcl3|trichloromethane', 'organic halogenated volatile_toxic', {
    boilingC: 61,
  }),
  row(
    'dichloromethane',
    'dichloromethane|dcm|methylene chloride|ch2cl2',
    'organic halogenated volatile_toxic',
    { boilingC: 40 },
  ),
  row(
    'carbon_tetrachloride',
    'carbon tetrachloride|trichloroethylene|perchloroethylene',
    'organic halogenated volatile_toxic',
    { boilingC: 77 },
  ),
  row('phenol', 'phenol|cresol', 'organic volatile_toxic toxic', { boilingC: 182, flashC: 79 }),
  row('mercaptoethanol', 'mercaptoethanol|bme|thiol', 'organic volatile_toxic toxic', {
    boilingC: 157,
    flashC: 74,
  }),
  row(
    'dimethyl_sulfate',
    'dimethyl sulfate|methyl iodide|iodomethane|ethyl bromide',
    'organic halogenated volatile_toxic toxic',
    { boilingC: 43 },
  ),
  // Aldehydes.
  row(
    'formaldehyde',
    'formaldehyde|formalin|paraformaldehyde|pfa',
    'aldehyde volatile_toxic toxic',
  ),
  row('glutaraldehyde', 'glutaraldehyde', 'aldehyde volatile_toxic toxic'),
  // Violent with water or air.
  row(
    'acid_chloride',
    'acetyl chloride|acid chloride|acyl chloride|thionyl chloride|oxalyl chloride|phosgene|benzoyl chloride|phosphorus trichloride|phosphoryl chloride',
    'acid_chloride water_reactive organic volatile_toxic',
    { boilingC: 51 },
  ),
  row(
    'acetic_anhydride',
    'acetic anhydride|anhydride',
    'acid_chloride organic flammable volatile_toxic',
    { boilingC: 140, flashC: 49 },
  ),
  row(
    'hydride',
    'sodium hydride|lithium aluminium hydride|lithium aluminum hydride|borohydride|lialh4',
    'water_reactive',
  ),
  row(
    'alkali_metal',
    'sodium metal|potassium metal|lithium metal|metallic sodium',
    'water_reactive pyrophoric',
  ),
  row(
    'organometallic',
    'butyllithium|buli|grignard|diethylzinc|trimethylaluminium',
    'water_reactive pyrophoric flammable organic',
  ),
  // Others.
  row('carbonate', 'carbonate|bicarbonate', 'carbonate aqueous'),
  row(
    'heavy_metal',
    'mercury|lead acetate|copper chloride|copper sulfate|silver|cadmium',
    'heavy_metal toxic',
  ),
  row('acrylamide', 'acrylamide|ethidium bromide', 'toxic'),
  row('osmium', 'osmium tetroxide|arsenic|thallium|beryllium', 'oxidiser toxic volatile_toxic'),
]

/** Names that look like a hazardous word but are not it; they are consumed first. */
export const harmlessNames =
  'tris hcl|hcl salt|guanidine free|amino acid|amino acids|nucleic acid|nucleic acids|fatty acid|fatty acids|' +
  'ascorbic acid|boric acid|folic acid|hyaluronic acid|bicinchoninic acid|acid phosphatase|acid red|' +
  'acid free|non acid|acid fast|peroxidase|peroxide free|azide free|bleach free|alcohol free|' +
  'chloroform free|benzoic acid standard|ethanolamine|methanol free|citrate buffer|acetate buffer|' +
  'silver stain|peg precipitation|sodium bicarbonate buffer|uric acid|lactic acid standard|retinoic acid|' +
  'acid alcohol|caustic free|phenol red|phenolphthalein|sulfide free|cyanide free|acetone free'
