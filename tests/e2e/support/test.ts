/* oxlint-disable no-empty-pattern -- Playwright wants a pattern where a fixture needs no other. */
import { test as base } from '@playwright/test'
import { DEMO_PASSWORD } from '../../../scripts/demo-company.ts'
import { foundCompany, type Company } from './company.ts'
import { isExcluded } from './one-language.ts'
import { ACCOUNTS, startProduct, type Demo, type OwnProduct, type Product } from './product.ts'
import { shared, sharedProduct } from './shared-products.ts'

export { expect } from '@playwright/test'

interface OfWorker {
  /** Path of an empty product's data directory. */
  data: string
  /** Product that all tests of the run share; each test has companies of its own there. */
  empty: Product
  /** Demo that all tests of the run share: they read it, and each changes only data of its own. */
  demo: Demo
}

interface OfTest {
  /** Skips a journey that runs in the other language. */
  oneLanguage: void
  /** Company of this test alone. */
  company: Company
  /** Product of this test alone, which may kill it. */
  ownProduct: OwnProduct
}

// On a busy machine the demo starts slowly.
const OF_WORKER = { scope: 'worker', timeout: 300_000 } as const

/** Playwright's test with these products; each is started when a test names it. */
export const test = base.extend<OfTest, OfWorker>({
  data: [async ({}, provide) => provide(await shared('data')), OF_WORKER],
  empty: [async ({}, provide) => provide(await sharedProduct('empty')), OF_WORKER],
  demo: [
    async ({}, provide) => {
      const product = await sharedProduct('demo')
      await provide({ ...product, owner: await product.api.signIn(ACCOUNTS.owner, DEMO_PASSWORD) })
    },
    OF_WORKER,
  ],
  oneLanguage: [
    async ({}, provide, info) => {
      info.skip(isExcluded(info), 'walked in the other language, and in both with THOROUGH=1')
      await provide()
    },
    { auto: true },
  ],
  company: async ({ empty }, provide) => provide(await foundCompany(empty)),
  ownProduct: async ({ data }, provide) => {
    const product = await startProduct(data)
    await provide(product)
    await product.stop()
  },
})
