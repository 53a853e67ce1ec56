// oxlint-disable typescript/consistent-type-imports -- one line per namespace instead of two
import { APP_NAMESPACES, ENERGY_NAMESPACES, SCREEN_NAMESPACES } from './namespaces.ts'

/** Texts of each namespace, typed by `locales/zh-TW`; of records, those with texts that other records lack. */
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

/** Texts of the sign-in page; those of the default language are bundled with it. */
const auth: Partial<Record<Language, () => Promise<{ default: object }>>> = {
  'en-US': () => import('../../../locales/en-US/auth.json'),
}

/** Texts that several screens share, as one file per set and language: each file costs a request. */
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
  /** Texts of records, by file path. */
  records: Record<string, object>
}

/** Merges the files of `locales/<language>/records/`: as `resources:<record>.…`, and their `pages` as `shell:pages.…`. */
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

/** Texts outside of the sets: of the sign-in page, and of single screens, whose list is loaded after sign-in. */
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
