import { test } from '@playwright/test'
import { startCompany } from './product.ts'

type Company = Awaited<ReturnType<typeof startCompany>>

/** The product with a company that has only its owner, for all tests of the file that calls this; it is there while they run. */
export function companyOfFile(): () => Company {
  let company: Company | undefined
  test.beforeAll(async () => {
    company = await startCompany()
  })
  test.afterAll(() => company?.product.stop())
  return () => {
    if (!company) throw new Error('A company is there only while a test runs')
    return company
  }
}
