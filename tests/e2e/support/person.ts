import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test'
import type { Tokens } from '../../../scripts/api.ts'
import { DEMO_PASSWORD } from '../../../scripts/demo-company.ts'
import type { Product } from './product.ts'
import { fillTab, isLive, leaveTab, newTab, takeTab, type Tab } from './tabs.ts'
import { wordsOf, type Language, type Words } from './words.ts'

/** Person with a browser of their own. */
export interface Person {
  page: Page
  words: Words
  /** Opens an address of the product, as an external link does. */
  open(path: string): Promise<void>
  /** Navigates to another page within the application, as its own links do. */
  goTo(path: string): Promise<void>
  /** Resolves when the page's live channel is connected: commands and events need it. */
  live(): Promise<void>
  leave(): Promise<void>
}

/** Polling intervals in ms for conditions that hold soon. */
const OFTEN = [20, 50, 100]

/** Opens a browser at the front page and chooses the language there. */
export async function visit(
  browser: Browser,
  product: Product,
  language: Language,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const tab = await newTab(browser, options)
  const person = personAt(tab, product, language, () => tab.page.context().close())
  const { page, words } = person
  await person.open('/')
  await page
    .getByRole('group', { name: /語言|Language/ })
    .getByRole('button', { name: words(`shell:language.${language}`) })
    .click()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  return person
}

function personAt({ page }: Tab, product: Product, language: Language, leave: () => Promise<void>): Person {
  const person: Person = {
    page,
    words: wordsOf(language),
    async open(path) {
      await page.goto(new URL(path, product.url).href)
    },
    async goTo(path) {
      // Before the shell is rendered, as after a reload, the router does not listen yet.
      await expect(homeSelector(person)).toBeVisible()
      const before = await crumb(page)
      const isLeaving = new URL(path, product.url).pathname !== new URL(page.url()).pathname
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      // The previous page stays until the next one can be rendered.
      if (isLeaving)
        await expect
          .poll(() => crumb(page), { message: `on the way to ${path}`, intervals: OFTEN })
          .not.toBe(before)
    },
    live: () => expect.poll(() => isLive(page), { message: 'live channel', intervals: OFTEN }).toBe(true),
    leave,
  }
  return person
}

/** Types email and password on the sign-in page and submits them. */
export async function enter({ page, words }: Person, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel(words('auth:email'), { exact: true }).fill(email)
  await page.getByLabel(words('auth:password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: words('auth:signIn.submit'), exact: true }).click()
}

/** Tokens by product and email: a person who signed in once is signed in with them in any other browser. */
const signedIn = new Map<string, Promise<Tokens>>()

/** Options of a sign-in: the browser, and the page of the product, by default the first one. */
type Arrival = BrowserContextOptions & {
  at?: string
  /** Uses a new browser: for tests that listen to its events or change how it loads pages. */
  ownBrowser?: boolean
}

/** Opens a browser with an existing session; resolves when the shell is rendered. */
export async function signIn(
  browser: Browser,
  product: Product,
  language: Language,
  email: string,
  { at = '/', ownBrowser = false, ...options }: Arrival = {},
): Promise<Person> {
  const key = `${product.url} ${email}`
  const credentials = signedIn.get(key) ?? product.api.authenticate(email, DEMO_PASSWORD)
  signedIn.set(key, credentials)
  const tab = ownBrowser ? await newTab(browser, options) : await takeTab(browser, product, options)
  await fillTab(tab, product, { language, ...storedBySignIn(product.api.clientId, email, await credentials) })
  const person = personAt(tab, product, language, () =>
    ownBrowser ? tab.page.context().close() : leaveTab(tab, product, options),
  )
  await person.open(at)
  await expect(homeSelector(person)).toBeVisible()
  return person
}

/** Entries that Amplify stores at a sign-in. */
function storedBySignIn(clientId: string, email: string, tokens: Tokens): Record<string, string> {
  const prefix = `CognitoIdentityServiceProvider.${clientId}`
  return {
    [`${prefix}.LastAuthUser`]: email,
    [`${prefix}.${email}.idToken`]: tokens.IdToken,
    [`${prefix}.${email}.accessToken`]: tokens.AccessToken,
    [`${prefix}.${email}.refreshToken`]: tokens.RefreshToken,
    [`${prefix}.${email}.clockDrift`]: '0',
  }
}

/** Opens the menu of a row, or of a record's page, and presses an item of it. */
export async function pressInMenu({ page, words }: Person, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: words('lists:rowMenu', { name }), exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export const homeSelector = ({ page, words }: Person): Locator =>
  page.getByRole('banner').getByRole('combobox', { name: words('shell:home.select') })

/** Last breadcrumb: the displayed page; none on Home. */
const crumb = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('.crumbs [aria-current="page"]')?.textContent ?? '')
