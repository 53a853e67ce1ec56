import { beforeEach, describe, expect, it, vi } from 'vitest'
import { attention } from '../../contract/attention/calls.ts'
import { company } from '../../contract/people/company-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../contract/people/personal-calls.ts'
import { session } from '../../contract/people/session-calls.ts'
import { home } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { anAttention } from '../support/an-attention.ts'
import { answers, requests, owner, server, signInAs } from '../support/msw.ts'

/** Loaded parts: the application, and screens by their names. */
const loaded: string[] = []
const asked = () => requests.map(({ path }) => path)

/** Opens the page by an address. */
async function openAt(address: string): Promise<void> {
  history.replaceState(null, '', address)
  const { routes } = await import('../../src/routes.ts')
  // Several addresses may show one screen: it has the first name.
  for (const [name, route] of Object.entries(routes).toReversed())
    vi.spyOn(route, 'load').mockImplementation(async () => void loaded.push(name) as never)
  await import('../../src/prefetch.ts')
}

vi.mock('../../src/load-app.ts', () => ({ loadApp: async () => void loaded.push('app') }))

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  requests.length = 0
  loaded.length = 0
  server.use(
    answers(session.getPersonalPermissions, owner),
    answers(home.operations.list, []),
    answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(company.getCompanyProfile, { CompanyName: '台光', LogoName: '台光', LogoUrl: null }),
    answers(attention.listAttention, anAttention()),
  )
})

describe('after an earlier sign-in', () => {
  beforeEach(() => signInAs(owner))

  it('loads the app and the dashboard, and sends the first calls at once', async () => {
    await openAt('/')
    expect(loaded).toEqual(['app', 'Home'])
    await expect.poll(asked).toHaveLength(5)
    expect(asked()).toEqual(
      expect.arrayContaining(['/GetPersonalPermissions', '/ListHome', '/ListAttention']),
    )
  })

  it('loads another screen by its address, and sends its own call', async () => {
    await openAt('/DeviceList/h1')
    expect(loaded).toEqual(['app', 'DeviceList'])
    await expect.poll(asked).toContain('/GetAllDeviceWithPeripheral')
    expect(requests.find(({ path }) => path === '/GetAllDeviceWithPeripheral')?.body).toEqual({
      HomeID: 'h1',
    })
  })
})

it('fetches nothing without an earlier sign-in', async () => {
  localStorage.setItem('language', 'en-US')
  const fetching = vi.spyOn(globalThis, 'fetch')
  await openAt('/')
  expect(loaded).toEqual([])
  expect(fetching).not.toHaveBeenCalled()
  fetching.mockRestore()
})
