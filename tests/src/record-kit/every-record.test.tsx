import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { FEATURES } from '../../../contract/kernel/permissions.ts'
import { resources, type ResourceName } from '../../../contract/index.ts'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { home } from '../../../contract/homes/home.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { runs } from '../../../contract/automation/run-calls.ts'
import { group } from '../../../contract/automation/group.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { department } from '../../../contract/people/department.ts'
import { me } from '../../../src/data/session.ts'
import { loadNamespaces, t } from '../../../src/lib/i18n/i18n.ts'
import { idOf, keyOf } from '../../../src/providers/data.ts'
import { listCallOf, pages } from '../../../src/providers/calls.ts'
import { paths, recordPages } from '../../../src/navigation/paths.ts'
import { loadRecord } from '../../../src/screens.ts'
import { answers, rejectCall, server, subUser } from '../../support/msw.ts'
import { prepareSession, sentTo } from '../support/page.tsx'
import { openRefinePages } from '../support/refine-pages.tsx'
import { plainRows, rowsOfRecords, type Row } from '../support/rows-of-records.ts'
import { onPhone } from '../../support/on-phone.ts'
const every = recordPages.flatMap((page) => {
  const { record } = paths[page]
  return record?.as === 'List' ? [record.name] : []
})
const WITH_BULK: ReadonlySet<ResourceName> = new Set([
  'department',
  'user',
  'employee',
  'visitor',
  'scanner',
  'conferenceRoom',
  'notificationChannel',
])
/** Records whose own page deletes them or revokes their pass. */
const WITHOUT_ROW_REMOVAL: ReadonlySet<ResourceName> = new Set(['employee', 'visitor', 'scanner'])
const kindOf = (name: ResourceName) => rowsOfRecords[name] ?? plainRows(name)

/** Sets the rows that the gateway returns, with pagination where the call has it. */
const listIs = (name: ResourceName, rows: Row[]) =>
  server.use(
    answers(
      listCallOf(name),
      (pages(name) ? { Rows: rows, NextCursor: null, Total: rows.length } : rows) as never,
    ),
  )

async function open(name: ResourceName, search = '') {
  const { List } = await loadRecord(name)
  return openRefinePages([{ path: '/list/:HomeID', element: <List /> }], `/list/h1${search}`)
}

beforeEach(async () => {
  await loadNamespaces(['people', 'access', 'bookings', 'modbus', 'automation'])
  prepareSession()
  server.use(
    answers(home.operations.list, []),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(department.operations.list, []),
    answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }),
    answers(group.operations.list, []),
    answers(runs.listAutomationRun, { Rows: [], NextCursor: null, Total: 0 }),
    answers(runs.listUsedBy, { Rows: [], Hidden: 0 }),
  )
})

describe.each(every)('the list of %s', (name) => {
  it('shows its rows and counts them', async () => {
    listIs(name, kindOf(name).rows)
    await open(name)
    for (const each of kindOf(name).names) expect(await screen.findByText(each)).toBeTruthy()
    expect(screen.getByText(t('screens:list.count', { count: 2 }))).toBeTruthy()
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(3)
  })

  it('is searched by the address, locally or by the gateway', async () => {
    const [first, second] = kindOf(name).names
    listIs(name, kindOf(name).rows)
    await open(name, `?q=${encodeURIComponent(first)}`)
    expect(await screen.findByText(first)).toBeTruthy()
    const isAsked = sentTo(listCallOf(name)).some((input) => (input as { Search?: string }).Search === first)
    expect(isAsked || screen.queryByText(second) === null).toBe(true)
    expect(isAsked).toBe(pages(name))
  })

  it('is sorted by a click on a heading, and stored in the address', async () => {
    listIs(name, kindOf(name).rows)
    const { user, address } = await open(name)
    await screen.findByText(kindOf(name).names[0])
    const [heading] = within(screen.getByRole('table')).getAllByRole('columnheader')
    const head = heading?.querySelector('input')
      ? within(screen.getByRole('table')).getAllByRole('columnheader')[1]
      : heading
    await user.click(within(head as HTMLElement).getByRole('button'))
    await waitFor(() => expect(address()).toMatch(/sort=/))
    await waitFor(() => expect(head?.getAttribute('aria-sort')).toMatch(/ascending|descending/))
  })

  it('says why it is empty', async () => {
    listIs(name, [])
    await open(name)
    await waitFor(() => expect(document.querySelector('[class*=nothing]')?.textContent).toBeTruthy())
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows why it could not be loaded, and loads on a retry', async () => {
    server.use(rejectCall(listCallOf(name), 'INTERNAL'))
    const { user } = await open(name)
    const retry = await screen.findByRole('button', { name: /重\s*試/ })
    listIs(name, kindOf(name).rows)
    await user.click(retry)
    expect(await screen.findByText(kindOf(name).names[0])).toBeTruthy()
  })

  it('is shown as cards on a phone', async () => {
    onPhone()
    listIs(name, kindOf(name).rows)
    await open(name)
    for (const each of kindOf(name).names) expect(await screen.findByText(each)).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('has an action bar for selected rows if a bulk action exists', async () => {
    listIs(name, kindOf(name).rows)
    const { user } = await open(name)
    await screen.findByText(kindOf(name).names[0])
    const boxes = screen.queryAllByRole('checkbox', { name: new RegExp(kindOf(name).names[1]) })
    expect(boxes.length > 0).toBe(WITH_BULK.has(name))
    if (!boxes[0]) return
    await user.click(boxes[0])
    expect(await screen.findByRole('toolbar', { name: t('lists:bulk.label') })).toBeTruthy()
  })

  it('deletes a row by its key after confirmation, if rows have a button for it', async () => {
    const [kept, gone] = kindOf(name).names
    listIs(name, kindOf(name).rows)
    const { user } = await open(name)
    await screen.findByText(gone)
    const menu = screen.queryByRole('button', { name: t('lists:rowMenu', { name: gone }) })
    if (menu) await user.click(menu)
    const item = screen.queryByRole('menuitem', { name: t('screens:list.remove', { name: gone }) })
    expect(item === null).toBe(WITHOUT_ROW_REMOVAL.has(name))
    if (!item) return
    const { remove } = resources[name].operations as { remove: AnyEndpoint }
    const row = kindOf(name).rows[1] as Row
    server.use(answers(remove, row as never))
    await user.click(item)
    expect(sentTo(remove)).toEqual([])
    listIs(name, kindOf(name).rows.slice(0, 1))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: /^刪\s*除$/ }))
    await waitFor(() => expect(sentTo(remove)[0]).toMatchObject(keyOf(name, idOf(name, row))))
    await waitFor(() => expect(screen.queryByText(gone)).toBeNull())
    expect(screen.getByText(kept)).toBeTruthy()
  })

  it('offers no actions without the right', async () => {
    me.set(subUser(FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: ['Read'] }))))
    listIs(name, kindOf(name).rows)
    await open(name)
    await screen.findByText(kindOf(name).names[0])
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /^(刪除|編輯)「/ })).toBeNull()
    expect(document.querySelector('.ant-btn-primary')).toBeNull()
  })
})
