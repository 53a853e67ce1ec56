// oxlint-disable typescript/consistent-type-imports -- one line a namespace instead of two
import { APP_NAMESPACES, ENERGY_NAMESPACES, SCREEN_NAMESPACES } from './namespaces.ts'

/** The texts of each namespace, as `locales/zh-TW` has them; of records, those with words that no other record has. */
export interface Namespaces {
  access: typeof import('../../../locales/zh-TW/access.json')
  alarms: typeof import('../../../locales/zh-TW/alarms.json')
  audit: typeof import('../../../locales/zh-TW/audit.json')
  auth: typeof import('../../../locales/zh-TW/auth.json')
  automation: typeof import('../../../locales/zh-TW/automation.json')
  balance: typeof import('../../../locales/zh-TW/balance.json')
  boards: typeof import('../../../locales/zh-TW/boards.json')
  bookings: typeof import('../../../locales/zh-TW/bookings.json')
  building: typeof import('../../../locales/zh-TW/building.json')
  cards: typeof import('../../../locales/zh-TW/cards.json')
  channels: typeof import('../../../locales/zh-TW/channels.json')
  charts: typeof import('../../../locales/zh-TW/charts.json')
  company: typeof import('../../../locales/zh-TW/company.json')
  dashboard: typeof import('../../../locales/zh-TW/dashboard.json')
  devices: typeof import('../../../locales/zh-TW/devices.json')
  electricity: typeof import('../../../locales/zh-TW/electricity.json')
  energy: typeof import('../../../locales/zh-TW/energy.json')
  errors: typeof import('../../../locales/zh-TW/errors.json')
  export: typeof import('../../../locales/zh-TW/export.json')
  floorEditor: typeof import('../../../locales/zh-TW/floorEditor.json')
  history: typeof import('../../../locales/zh-TW/history.json')
  inbox: typeof import('../../../locales/zh-TW/inbox.json')
  insight: typeof import('../../../locales/zh-TW/insight.json')
  lightHouse: typeof import('../../../locales/zh-TW/lightHouse.json')
  lists: typeof import('../../../locales/zh-TW/lists.json')
  meterImport: typeof import('../../../locales/zh-TW/meterImport.json')
  meters: typeof import('../../../locales/zh-TW/meters.json')
  modbus: typeof import('../../../locales/zh-TW/modbus.json')
  notifications: typeof import('../../../locales/zh-TW/notifications.json')
  ota: typeof import('../../../locales/zh-TW/ota.json')
  people: typeof import('../../../locales/zh-TW/people.json')
  personal: typeof import('../../../locales/zh-TW/personal.json')
  push: typeof import('../../../locales/zh-TW/push.json')
  report: typeof import('../../../locales/zh-TW/report.json')
  resources: typeof import('../../../locales/zh-TW/resources.json') & {
    floor: typeof import('../../../locales/zh-TW/records/floor.json')
    home: typeof import('../../../locales/zh-TW/records/home.json')
    notificationChannel: typeof import('../../../locales/zh-TW/records/notification-channel.json')
    reportPlan: typeof import('../../../locales/zh-TW/records/report-plan.json')
    room: typeof import('../../../locales/zh-TW/records/room.json')
    user: typeof import('../../../locales/zh-TW/records/user.json')
    utilityBill: typeof import('../../../locales/zh-TW/records/utility-bill.json')
  }
  screens: typeof import('../../../locales/zh-TW/screens.json')
  search: typeof import('../../../locales/zh-TW/search.json')
  setup: typeof import('../../../locales/zh-TW/setup.json')
  shell: typeof import('../../../locales/zh-TW/shell.json')
  tariff: typeof import('../../../locales/zh-TW/tariff.json')
  tour: typeof import('../../../locales/zh-TW/tour.json')
}
export type Namespace = keyof Namespaces

export const LANGUAGES = ['zh-TW', 'en-US'] as const
export type Language = (typeof LANGUAGES)[number]

type Words = Record<string, object>

/** Of the sign-in page; those of the first language are part of the application's beginning. */
const auth: Partial<Record<Language, () => Promise<{ default: object }>>> = {
  'en-US': () => import('../../../locales/en-US/auth.json'),
}

/** The texts that several screens share are one file a set and language: each file costs a request. */
const SETS: readonly [readonly Namespace[], Record<Language, () => Promise<Words>>][] = [
  [
    APP_NAMESPACES,
    {
      'zh-TW': async () => withRecords((await import('./words/zh-TW.ts')).default),
      'en-US': async () => withRecords((await import('./words/en-US.ts')).default),
    },
  ],
  [
    SCREEN_NAMESPACES,
    {
      'zh-TW': async () => (await import('./words/screens-zh-TW.ts')).default,
      'en-US': async () => (await import('./words/screens-en-US.ts')).default,
    },
  ],
  [
    ENERGY_NAMESPACES,
    {
      'zh-TW': async () => (await import('./words/energy-zh-TW.ts')).default,
      'en-US': async () => (await import('./words/energy-en-US.ts')).default,
    },
  ],
]

interface AppWords extends Words {
  shell: { pages: object }
  resources: object
  /** By the path of their file. */
  records: Record<string, object>
}

/** Puts each file of `locales/<language>/records/` in its places: `resources:<record>.…`, and its `pages` in `shell:pages.…`. */
function withRecords({ shell, resources, records, ...words }: AppWords): Words {
  const all = Object.entries(records)
  const pages = all.map(([, record]) => ('pages' in record ? record.pages : {}))
  return {
    ...words,
    resources: { ...resources, ...Object.fromEntries(all.map(([path, record]) => [nameOf(path), record])) },
    shell: { ...shell, pages: Object.assign({}, shell.pages, ...pages) as object },
  }
}

const nameOf = (path: string) => {
  const [, file = ''] = /([^/]+)\.json$/.exec(path) ?? []
  return file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The texts of the sign-in page come by themselves; the list of the others comes with the first signed-in screen. */
async function ofFew(language: Language, namespace: Namespace): Promise<object | undefined> {
  if (namespace === 'auth') return (await auth[language]?.())?.default
  const { filesOfWords } = await import('./words/files.ts')
  return filesOfWords()[`../../../../locales/${language}/${namespace}.json`]?.()
}

/** Fetches the texts of a namespace in a language. */
export async function wordsOf(language: Language, namespace: Namespace): Promise<object> {
  const set = SETS.find(([names]) => names.includes(namespace))?.[1]
  const words = set ? (await set[language]())[namespace] : await ofFew(language, namespace)
  if (!words) throw new Error(`There are no texts of ${namespace} in ${language}`)
  return words
}
