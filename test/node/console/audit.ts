// What can be measured of any page: findings of axe-core, and whether it fits.
import axeSource from 'axe-core'
import type { Page } from 'playwright-core'

const axe = axeSource.source

/** What axe finds, by rule and place; a script in an isolated world passes the page's policy. */
export async function found(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await session.send('Runtime.evaluate', { expression: axe, contextId })
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      "axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target + ' ' + n.failureSummary).join(', ')))",
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  return result.value as string[]
}

/** Pixels by which the page is wider than the window. */
export const overflow = (page: Page) =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
