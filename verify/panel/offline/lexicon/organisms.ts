// Organisms and toxins by what a site may do with them: risk group 1 work is ordinary, group 2
// needs containment, 3 and 4 never run on an open deck, select toxins go to review or refusal.
// Source: common risk-group lists (WHO manual, national lists), in our own grouping.
import { anyOf } from '../view/text.ts'

/** Risk group 1, cell lines, and control strains that laboratories use every day. */
export const groupOne = anyOf(
  'e coli|escherichia|dh5alpha|dh5|bl21|k 12|k12|s cerevisiae|saccharomyces|yeast|b subtilis|bacillus subtilis',
  'hela|hek293|hek|cho|vero|jurkat|arabidopsis|c elegans|drosophila|lactobacill*|lambda phage|t4 phage|t7 phage|m13|phage|bacteriophage|atcc|control strain|nissle|pichia|aspergillus oryzae',
)

/** Risk group 2: known pathogens with moderate hazard. */
export const groupTwo = anyOf(
  'salmonella|klebsiella|staphylococcus|s aureus|mrsa|pseudomonas|listeria|candida|enterococcus|streptococcus|campylobacter|adenovirus|influenza|measles|hepatitis|lentivir*|legionella|clostridi*|vibrio|dengue|zika|rsv|herpes|hpv|toxoplasma|neisseria|shigella|acinetobacter|norovirus|coronavirus',
)

/** Risk groups 3 and 4 and select agents. */
export const groupThree = anyOf(
  'tuberculosis|mtb|yersinia pestis|plague|anthrac*|anthrax|brucella|francisella|tularensis|burkholderia|coxiella|h5n1|h7n9|sars cov|sars|mers|ebola|marburg|lassa|nipah|hendra|variola|smallpox|rabies|west nile|yellow fever|hantavirus|hiv|rift valley|prion|avian influenza|chikungunya|eastern equine',
)

/** Toxins and warfare agents, and what is scheduled. */
export const scheduledAgents = anyOf(
  'sarin|soman|tabun|novichok|mustard gas|sulfur mustard|nitrogen mustard|phosgene|ricin|abrin|saxitoxin|nerve agent|chemical weapon|scheduled organophosphorus|scheduled chemical|scheduled compound|schedule 1|schedule 2|explosive|tatp|rdx|petn|nitroglycerin|methamphetamine|fentanyl synthesis|heroin',
)

/** Neighbouring matters: a person looks before the first use. */
export const neighbouringAgents = anyOf(
  'organophosph*|toxin|botulinum|tetanus toxin|shiga|cholera toxin|diphtheria|vaccine strain|attenuated|gain of function|gene drive|select agent|pseudovir*|pseudotype*|chimer*|mcr 1|mcr|ndm 1|kpc|oxa 48|vana|efflux pump|colistin|super spreader|precursor|thiodiglycol|pinacolyl*|methylphosphon*|prion|virulence|resistance gene|plasmid with resistance|carbapenem*|select* pressure',
)
