// Words of ordinary laboratory materials. They are positive evidence (the site works with these
// every day), never a reason to lower a finding: a hazardous name beside them still counts.
import { anyOf } from '../view/text.ts'

export const ordinaryMaterials = anyOf(
  // Water, buffers, media.
  'water|h2o|buffer|pbs|tris|hepes|mes|mops|tae|tbe|ssc|ssc|te|tween|triton|sds|edta|egta|saline|nacl|salt|kcl|mgcl2|cacl2|imidazole|glycine|sucrose|glucose|agar|agarose|broth|lb|tb|ypd|rpmi|dmem|mem|medium|media|serum|fbs|bsa|albumin|supernatant|wash|rinse|eluate|eluent|elution|diluent|blank|blocking|neutral|acetate|citrate|phosphate|bicarbonate|carbonate|borate',
  // Nucleic acids, proteins, assays.
  'dna|rna|cdna|gdna|mrna|sirna|primer|primers|probe|oligo*|plasmid|template|amplicon|library|pcr|qpcr|master mix|mastermix|mix|polymerase|enzyme|ligase|protease|proteinase|trypsin|nuclease|dnase|rnase|lysozyme|protein|peptide|antibod*|antigen|igg|elisa|assay|substrate|luciferase|luciferin|fluorophore|fluorescein|rhodamine|dye|stain|crystal violet|trypan|propidium|dapi|hoechst|alamar*|resazurin|mtt|bradford|bca|coomassie|ntp|dntp|atp|nadh|bead|beads|resin|slurry|reagent|kit|complex|transfection|lipofectamine',
  // Cells and samples.
  'cell|cells|culture|suspension|inoculum|colony|colonies|lysate|lysis|pellet|spheroid*|organoid*|mononuclear|pbmc|buffy|plasma|blood|urine|saliva|swab|tissue|biopsy|stock|sample|isolate|extract|fraction|phase|aliquot|dilution|dilutions|series|standard|standards|calibrat*|control|controls|reference|compound|compounds|library plate|inhibitor|agonist|antagonist|drug|titrant|indicator|ladder|marker|vaccine|adjuvant|phage|density|ficoll|percoll|gradient|matrix|matrigel|collagen|gel|oil|mineral oil|wax|nanoparticle*|liposome*|polymer|silica|sugar|caffeine|vitamin*|riboflavin|paracetamol|ibuprofen|aspirin|metformin|creatinine|lactate|cholesterol|insulin|ferric|iron|zinc|magnesium|calcium|sodium|potassium',
  // Antibiotics as selection or test substances.
  'ampicillin|kanamycin|puromycin|blasticidin|hygromycin|g418|gentamicin|ciprofloxacin|meropenem|vancomycin|penicillin|streptomycin|tetracycline|doxycycline|chloramphenicol|antibiotic',
  'detergent|soap|disinfectant|waste|condensate|feed|spent|rinsate|iodine|safranin|lugol|fuchsin|malachite|haematoxylin|hematoxylin|eosin|giemsa|tmb|hrp|conjugate|streptavidin|biotin|milk|juice|honey|wine|beer|oil|fat|soil|sediment|leachate|ink|paint|glue|resist|photoresist|developer|electrolyte|catalyst|ligand|monomer|polymer|salt|metal|alloy|powder|film|coating|particle*|quantum dot*|nanotube*|graphene|clay|starch|cellulose|lignin|pectin|casein|whey|haemoglobin|hemoglobin|heparin|citrated|allergen|hormone|estradiol|testosterone|cortisol|glucagon|thyroxine|ferritin|troponin|crp|neutralised|neutralized|neutral',
)

/** Words that say that nobody knows what it is (POL-18). */
export const unidentifiedMaterial = anyOf(
  'unlabelled|unlabeled|unidentified|unknown liquid|unknown powder|unknown substance|unknown solid|unknown material|unknown content|unknown contents|unknown origin|unknown sample|unknown solution|unmarked|no label|without label|without a label|lost label|label fell|label lost|label missing|label is missing|label came off|label has faded|labels have faded|faded|illegible|unreadable|smudged|not labelled|not labeled|not identified|mystery|unclear contents|contents unknown|contents unclear|content unknown|no longer readable|not readable|washed off|identity unknown|worn off|blank label|label is blank|unspecified|may hold|might hold|could be|somebody left|someone left|left behind|no name on',
)
