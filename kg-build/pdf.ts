// Text of a PDF manual. PDF.js runs without a browser; a scan without text yields nothing.
import { extractText, getDocumentProxy } from 'unpdf'

/** All pages' text, one page a paragraph. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(document, { mergePages: false })
  return text.join('\n\n')
}
