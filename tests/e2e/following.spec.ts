import { FEATURES, OPERATIONS } from '../../contract/kernel/permissions.ts'
import { formatDay, toWallTime } from '../../contract/time/periods.ts'
import { addHome, hire, newEmail, ZONE } from './support/company.ts'
import { pressInMenu, signIn, type Person } from './support/person.ts'
import { expect, test } from './support/test.ts'

const ROOM = '頂樓會議室'
/** Free all day, whenever the test runs. */
const CALENDAR = `/ConferenceRoomBooking?date=${formatDay(toWallTime(Date.now(), ZONE).day + 1)}`

/** Button by its label, with any icon before it; an empty list offers its own a second time. */
const button = ({ page, words }: Person, key: string) =>
  page
    .getByRole('button')
    .filter({ hasText: new RegExp(`^${words(key)}$`) })
    .first()
const field = ({ page, words }: Person, key: string) => page.getByLabel(words(key), { exact: true })
const there = ({ page }: Person, name: string) => page.getByRole('main').getByText(name, { exact: true })
/** Confirms the last dialog. */
const confirm = ({ page, words }: Person, key: string) =>
  page
    .locator('.ant-modal-confirm')
    .getByRole('button', { name: words(key), exact: true })
    .click()

/** Record with a name: how a user adds it, and where the colleague sees it. */
interface Record {
  what: string
  list: string
  name: string
  /** Address of its form. */
  form: string
  /** Button that opens the form, if it is a dialog. */
  opens?: string
  /** Values of fields other than the name, by label. */
  besides?: Readonly<{ [field: string]: string }>
  /** Labels of the name's field and of the save button. */
  named: string
  saves: string
}

const RECORDS: Record[] = [
  {
    what: 'meeting rooms',
    list: '/ConferenceRoomListing',
    name: ROOM,
    form: '/ConferenceRoomListing',
    opens: 'bookings:rooms.add',
    named: 'bookings:rooms.name',
    saves: 'screens:save',
  },
  {
    what: 'departments',
    list: '/dept',
    name: '研發部',
    form: '/dept',
    opens: 'resources:department.create',
    named: 'resources:department.fields.Department',
    saves: 'screens:save',
  },
  {
    what: 'users',
    list: '/user/list',
    name: newEmail('new-person'),
    form: '/user/add?by=password',
    besides: { 'resources:user.fields.password': 'first-passw0rd' },
    named: 'resources:user.fields.Email',
    saves: 'screens:save',
  },
  {
    what: 'visitors',
    list: '/VisitorManagement',
    name: '王訪客',
    form: '/VisitorRegister',
    besides: { 'access:fields.Email': 'guest@example.com', 'access:fields.Phone': '0911-222-333' },
    named: 'access:fields.VisitorName',
    saves: 'access:visitor.register',
  },
  {
    what: 'employees',
    list: '/EmployeeManagement',
    name: '陳員工',
    form: '/CreateEmployee',
    besides: { 'access:fields.Email': 'employee@example.com' },
    named: 'access:fields.EmployeeName',
    saves: 'screens:save',
  },
  {
    what: 'scanners',
    list: '/ScannerManagement',
    name: '側門掃描器',
    form: '/CreateScanner',
    named: 'access:fields.ScannerName',
    saves: 'shell:pages.CreateScanner',
  },
]

async function add(person: Person, { form, opens, besides = {}, named, name, saves }: Record): Promise<void> {
  await person.goTo(form)
  if (opens) await button(person, opens).click()
  for (const [words, text] of Object.entries({ ...besides, [named]: name }))
    await field(person, words).fill(text)
  await button(person, saves).click()
}

test('keeps two browsers in two languages in sync without a page reload', async ({ browser, company }) => {
  test.setTimeout(300_000)
  const { product } = company
  await addHome(company)
  const rights = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))
  const { Email } = await hire(company, '同事', rights)
  const owner = await signIn(browser, product, 'zh-TW', company.email)
  // Days are those of the site in every browser time zone.
  const colleague = await signIn(browser, product, 'en-US', Email, { timezoneId: 'America/Los_Angeles' })
  await Promise.all([owner.live(), colleague.live()])

  for (const [index, record] of RECORDS.entries())
    await test.step(record.what, async () => {
      const { list, name } = record
      const [writer, watcher] = index % 2 === 0 ? [colleague, owner] : [owner, colleague]
      await watcher.goTo(list)
      await expect(watcher.page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(there(watcher, name)).toHaveCount(0)
      await add(writer, record)
      await expect(there(watcher, name).first()).toBeVisible()
    })

  await test.step('bookings', async () => {
    const subject = '季度檢討'
    const booked = ({ page }: Person) => page.getByRole('button', { name: new RegExp(subject) })
    await colleague.goTo(CALENDAR)
    await owner.goTo(CALENDAR)
    await expect(colleague.page.locator('[data-track]')).toBeVisible()
    await expect(booked(colleague)).toHaveCount(0)
    await owner.page.locator('[data-track]').press('Enter')
    await field(owner, 'bookings:form.subject').fill(subject)
    await button(owner, 'bookings:form.book').click()
    // At nine in the site's local time, also when viewed from California.
    await expect(booked(colleague)).toContainText('09:00')
    await booked(colleague).click()
    await button(colleague, 'bookings:cancel.ok').click()
    await confirm(colleague, 'bookings:cancel.ok')
    await expect(booked(owner)).toHaveCount(0)
  })

  await test.step('deleted records', async () => {
    await owner.goTo('/ConferenceRoomListing')
    await colleague.goTo('/ConferenceRoomListing')
    await expect(there(owner, ROOM).first()).toBeVisible()
    await pressInMenu(colleague, ROOM, colleague.words('screens:list.remove', { name: ROOM }))
    await confirm(colleague, 'screens:remove.ok')
    await expect(there(owner, ROOM)).toHaveCount(0)
  })

  await test.step('company profile', async () => {
    const title = '新大樓管理'
    await colleague.goTo('/CompanyProfile')
    // Its label says that it is optional.
    const brand = ({ page, words }: Person) => page.getByLabel(words('company:brand'))
    await expect(brand(colleague)).toBeVisible()
    await owner.goTo('/CompanyProfile')
    await brand(owner).fill(title)
    await button(owner, 'company:save').click()
    await expect(brand(colleague)).toHaveValue(title)
    await expect(colleague.page.getByRole('main').getByText(title).first()).toBeVisible()
  })
  await Promise.all([owner.leave(), colleague.leave()])
})
