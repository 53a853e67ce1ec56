import { decide, EVERYWHERE, FEATURES, OPERATIONS } from '../contract/kernel/permissions.ts'
import { home } from '../contract/homes/home.ts'
import { user } from '../contract/people/user.ts'
import { CallFailed, connectApi } from '../scripts/api.ts'
import { openBrowser, openPage } from './support/browser.ts'
import { signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median } from './support/statistics.ts'

export const name = 'rights'
export const bar =
  'a right removed: dialog on that person’s screen under 1 s, and the very next call refused; one decision under 1 µs'

const FIRST_PASSWORD = 'first-passw0rd'
const PASSWORD = 'measured1'
const DECISIONS = 1_000_000
const read = (FeatureKey: 'dashboard' | 'user') => ({ FeatureKey, OperationList: ['Read' as const] })

/** Revokes the permission to read users from a signed-in user, in a browser and over the wire, repeatedly. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  await owner.call(home.operations.create, { HomeName: '總部', TimeZone: 'Asia/Taipei' })
  const browser = await openBrowser()
  const toDialog: number[] = []
  let accepted = 0
  const rounds = quick ? 3 : 10
  for (let round = 0; round < rounds; round++) {
    const Email = `person-${round}@bench.example`
    await owner.call(user.operations.create, {
      Email,
      FirstName: 'Person',
      LastName: '',
      DepartmentID: null,
      Permissions: [read('dashboard'), read('user')],
      password: FIRST_PASSWORD,
    })
    const call = await (await connectApi(gateway.url)).signIn(Email, PASSWORD, FIRST_PASSWORD)
    await call(user.operations.page, {})

    const { page } = await openPage(browser)
    await page.goto(gateway.url)
    await page.locator('input[type=email]').fill(Email)
    await page.locator('input[type=password]').fill(PASSWORD)
    const live = page.waitForEvent('worker')
    await page.locator('button[type=submit]').click()
    await live
    // The worker of the live channel connects and subscribes; the page is idle then.
    await page.waitForTimeout(1500)

    const startedAt = performance.now()
    await owner.call(user.operations.update, { Email, Permissions: [read('dashboard')] })
    if (await isAccepted(() => call(user.operations.page, {}))) accepted++
    await page.getByRole('dialog').waitFor()
    toDialog.push(performance.now() - startedAt)
    await page.context().close()
  }
  return [
    {
      what: 'right removed to the dialog on that person’s screen',
      value: median(toDialog),
      unit: 'ms',
      bar: { of: 'value', max: 1000 },
      note: `slowest of ${rounds}: ${Math.round(Math.max(...toDialog))} ms`,
    },
    {
      what: 'calls accepted right after the right was removed',
      value: accepted,
      unit: '',
      bar: { of: 'value', max: 0 },
      note: `of ${rounds}`,
    },
    { what: 'one decision of the policy', value: decisionTime(), unit: 'µs', bar: { of: 'value', max: 1 } },
  ]
}

async function isAccepted(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (error instanceof CallFailed) return false
    throw error
  }
}

/** µs of each decision about a user with every permission, over all permissions in turn. */
function decisionTime(): number {
  const subject = {
    isRoot: false,
    permissions: FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] })),
  }
  const rights = FEATURES.flatMap((feature) => OPERATIONS.map((operation) => ({ feature, operation })))
  const times: number[] = []
  for (let run = 0; run < 5; run++) {
    let allowed = 0
    const startedAt = performance.now()
    for (let i = 0; i < DECISIONS; i++)
      if (decide(rights[i % rights.length] as (typeof rights)[number], subject, EVERYWHERE) === true)
        allowed++
    times.push(((performance.now() - startedAt) * 1000) / DECISIONS)
    if (allowed !== DECISIONS) throw new Error('A right that is held was refused')
  }
  return median(times)
}
