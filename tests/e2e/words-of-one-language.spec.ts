import type { Page, Response } from '@playwright/test'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { home as homeResource } from '../../contract/homes/home.ts'
import { user } from '../../contract/people/user.ts'
import type { Call } from '../../scripts/api.ts'
import { pathTo, type PathName } from '../../src/navigation/paths.ts'
import { screens } from '../../src/screens.ts'
import { readWords, type Tree } from '../support/read-words.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { paramsIn } from './support/screen-params.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES, type Language } from './support/words.ts'

/** Words of the other language: Latin words, except units of two letters; or Chinese characters. */
const FOREIGN: Record<Language, RegExp> = {
  'zh-TW': /\p{Script=Latin}{3,}|\b(?:to|of|or|in|on|at|by|no|is)\b/gu,
  'en-US': /\p{Script=Han}+/gu,
}

/** Names that are not translated: device makers, the program with which the demo signed in, and time zones. */
const NAMES = /Eastron|\bnode\b|GMT|[A-Z]\w+\/[A-Z]\w+/g

const textsIn = (tree: Tree | string): string[] =>
  typeof tree === 'string' ? [tree] : Object.values(tree).flatMap(textsIn)

/** Foreign words that our own texts contain intentionally: products, protocols, units, and the names of languages. */
const ownWords = (language: Language): Set<string> =>
  new Set(
    textsIn(readWords(language)).flatMap(
      (text) => text.replace(/\{\{.*?\}\}/g, '').match(FOREIGN[language]) ?? [],
    ),
  )

/** Stored values, which are shown as entered. */
function valuesIn(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer]
  return answer && typeof answer === 'object' ? Object.values(answer).flatMap(valuesIn) : []
}

/** Texts, accessible names, titles and placeholders on the page, without those hidden from assistive technology and without keys. */
const shown = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = new Set<string>()
    const walk = (element: Element): void => {
      if (
        element.matches('[aria-hidden="true"], script, style, kbd, code, option') ||
        !element.checkVisibility()
      )
        return
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
        texts.add(element.getAttribute(name) ?? '')
      for (const child of element.childNodes)
        if (child instanceof Element) walk(child)
        else texts.add(child.textContent ?? '')
    }
    walk(document.body)
    return [...texts].filter(Boolean)
  })

interface Reader {
  person: Person
  /** Foreign words on the page that neither our texts nor stored values contain. */
  foreign: () => Promise<string[]>
}

async function readerOf(person: Person, language: Language, owner: Call): Promise<Reader> {
  const own = ownWords(language)
  // Screens join the two parts of a name.
  let stored = (await owner(user.operations.list, {}))
    .map(({ LastName, FirstName }) => `${LastName}${FirstName}`)
    .join('\n')
  const keep = async (response: Response) => {
    if (!response.headers()['content-type']?.includes('json')) return
    const answer: unknown = await response.json().catch(() => undefined)
    // A value without a space may be a state of ours, whose name must be translated.
    stored += valuesIn(answer)
      .filter((value) => language === 'en-US' || !/^\p{Lu}?\p{Ll}+(\p{Lu}\p{Ll}+)*$/u.test(value))
      .join('\n')
    stored += '\n'
  }
  // The page may show a value before its answer has been read here.
  const reading = new Set<Promise<void>>()
  person.page.on('response', (response) => {
    const read = keep(response).finally(() => reading.delete(read))
    reading.add(read)
  })
  await person.page.reload()
  return {
    person,
    foreign: async () => {
      const texts = await shown(person.page)
      await Promise.all(reading)
      return texts.filter((text) =>
        text
          .replace(NAMES, '')
          .match(FOREIGN[language])
          ?.some((word) => !own.has(word) && !stored.includes(word)),
      )
    },
  }
}

async function look({ person, foreign }: Reader, what: string): Promise<void> {
  await expect(person.page.locator('.ant-skeleton-active, .opening, [aria-busy="true"]')).toHaveCount(0)
  await expect.soft.poll(foreign, { message: what }).toEqual([])
}

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('no screen has a word of another language', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { ownBrowser: true })
      const reader = await readerOf(person, language, demo.owner)
      const paramsOf = await paramsIn(demo.owner)
      for (const name of Object.keys(screens) as PathName[]) {
        await person.goTo(pathTo(name, paramsOf(name)))
        await expect(person.page.getByRole('heading').first()).toBeVisible()
        await look(reader, name)
      }
      await person.leave()
    })

    test('no dialog, menu or drawer has a word of another language', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { ownBrowser: true })
      const reader = await readerOf(person, language, demo.owner)
      const { page, words } = person
      const [{ HomeID = '' } = {}] = await demo.owner(homeResource.operations.list, {})
      const { Peripherals } = await demo.owner(peripheral.operations.list, { HomeID })
      const dialog = page.getByRole('dialog')
      const close = async () => {
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }

      for (const type of ['528', '517', '535']) {
        const device = Peripherals.find(({ PeripheralType }) => PeripheralType === type)
        await person.goTo(`${pathTo('DeviceList', { HomeID })}?device=${device?.PeripheralUID}`)
        await expect(page.getByRole('dialog', { name: device?.PeripheralName ?? '' })).toBeVisible()
        await look(reader, `panel of a device of type ${type}`)
      }

      await person.goTo(pathTo('RoomList', { HomeID }))
      await page.getByRole('button', { name: words('resources:room.create') }).click()
      await expect(dialog).toBeVisible()
      await look(reader, 'form')
      await close()
      // The last room: the first one cannot be deleted.
      await page
        .locator('[aria-haspopup="menu"]')
        .filter({ has: page.locator('.anticon-more') })
        .last()
        .click()
      await look(reader, 'menu of a row')
      await page.getByRole('menuitem', { name: words('screens:remove.ok') }).click()
      await expect(dialog).toBeVisible()
      await look(reader, 'confirmation')
      await close()

      for (const [what, key] of [
        ['search', 'Control+k'],
        ['keys', '?'],
      ] as const) {
        await page.keyboard.press(key)
        await expect(dialog).toBeVisible()
        await look(reader, what)
        await close()
      }
      await page.getByRole('button', { name: words('shell:header.bell') }).click()
      await expect(dialog).toBeVisible()
      await look(reader, 'notifications')
      await close()

      await person.goTo(pathTo('AuditLog'))
      await page.locator('.ant-picker input').first().click()
      await expect(page.locator('.ant-picker-dropdown')).toBeVisible()
      await look(reader, 'range of days')
      await person.leave()
    })
  })
