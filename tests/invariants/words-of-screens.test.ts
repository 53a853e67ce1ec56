import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { APP_NAMESPACES, ENERGY_NAMESPACES, SCREEN_NAMESPACES } from '../../src/lib/i18n/namespaces.ts'

const SRC = join(import.meta.dirname, '../../src')
const NAMESPACES = new Set(
  readdirSync(join(SRC, '../locales/zh-TW')).map((file) => file.replace('.json', '')),
)
/** Namespaces loaded with the frame of every signed-in screen. */
const ALWAYS = [...APP_NAMESPACES, ...SCREEN_NAMESPACES]

/** Screens of `routes.ts` with the namespaces that are loaded together with them, and their files. */
const screens = [
  ...readFileSync(join(SRC, 'routes.ts'), 'utf8').matchAll(
    /(\w+)(?:: Route =|:) \{\s*words: (\[[^\]]*\]),\s*load: \(\) =>\s*import\('([^']+)'\)/g,
  ),
].map(([, name = '', words = '', path = '']) => ({
  name,
  words: [...words.matchAll(/'(\w+)'/g)].map(([, word = '']) => word),
  file: join(SRC, path),
}))

/** Namespaces used by a file (`path namespace`) that it needs only where they are loaded anyway, with that place. */
const DRAWN_ELSEWHERE: Readonly<Record<string, string>> = {
  'data/auth-state.ts auth': 'on the page of the sign-in',
  'domain/devices/commands/command-words.ts lightHouse': 'beside the controls of lighthouses',
}
/** Files that the list and the editor of rules use only for alarm rules, whose screens load their own namespaces. */
const OF_ALARM_RULES = /^(?:custom-views\/alarms|resources\/automation\/list)\//
const OTHER_RULES = ['ScheduleListing', 'updateSchedule', 'SmartLinkListing', 'updateSmartLink']

/** A file and its static imports, recursively. */
function filesOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen
  seen.add(file)
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)(?! type)[^'"]*?from '(\.[^']+\.tsx?)'/gm,
  )
  for (const [, path = ''] of found) filesOf(join(dirname(file), path), seen)
  return seen
}

const usedIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/['"`](\w+):[a-z]/g)]
    .map(([, name = '']) => name)
    .filter((name) => NAMESPACES.has(name))

describe('the words of a screen', () => {
  it('are found in its route', () => expect(screens.length).toBeGreaterThan(20))

  it.each(screens)('are all fetched with it: $name', ({ name: screen, words, file }) => {
    const known = new Set<string>([...ALWAYS, ...words])
    const missing = [...filesOf(file)]
      .filter((one) => one.startsWith(SRC))
      .flatMap((one) => usedIn(one).map((name) => ({ name, one: one.slice(SRC.length + 1) })))
      .filter(({ name, one }) => !known.has(name) && !(`${one} ${name}` in DRAWN_ELSEWHERE))
      .filter(
        ({ name, one }) => !(name === 'alarms' && OTHER_RULES.includes(screen) && OF_ALARM_RULES.test(one)),
      )
    expect(missing).toEqual([])
  })
})

describe('the files of words', () => {
  const names = (text: string | undefined) => (text ?? '').split(',').map((one) => one.trim())
  const read = (file: string) => readFileSync(join(SRC, 'lib/i18n/words', file), 'utf8')

  it('leave out of those of one screen what stands in a set, and the words of the sign-in', () => {
    const [, left] = /!.*\{([^}]*)\}\.json/.exec(read('files.ts')) ?? []
    expect(names(left).sort()).toEqual(['auth', ...ALWAYS, ...ENERGY_NAMESPACES].sort())
  })

  it.each([
    ['', APP_NAMESPACES],
    ['screens-', SCREEN_NAMESPACES],
    ['energy-', ENERGY_NAMESPACES],
  ])('hold a whole set in either language: %s', (set, namespaces) => {
    for (const language of ['zh-TW', 'en-US']) {
      const [, held] = /export default \{([^}]*)\}/.exec(read(`${set}${language}.ts`)) ?? []
      expect(names(held).filter((one) => one !== 'records')).toEqual([...namespaces].sort())
    }
  })
})
