import { beforeEach, describe, expect, it, vi } from 'vitest'
import { attention } from '../../contract/attention/calls.ts'
import { company } from '../../contract/people/company-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../contract/people/personal-calls.ts'
import { session } from '../../contract/people/session-calls.ts'
import { home } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { anAttention } from '../support/an-attention.ts'
import { answers, requests, owner, server, signInAs } from '../support/msw.ts'

const LISTS = ['app', 'dashboard'] as const
const fileOf = (list: string) => `/assets/${list}-1234.js`
/** Lists whose files are fetched. */
const fetched = () =>
  LISTS.filter((list) => document.head.querySelector(`:scope > link[href="${fileOf(list)}"]`))
const asked = () => requests.map(({ path }) => path)

/** Opens the page by an address. */
async function openAt(address: string): Promise<void> {
  history.replaceState(null, '', address)
  await import('../../src/prefetch.ts')
}

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  requests.length = 0
  document.head.innerHTML = LISTS.map(
    (list) => `<template data-${list}><link rel="modulepreload" href="${fileOf(list)}" /></template>`,
  ).join('')
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

  it('fetches the files of the app and the dashboard and the first calls at once', async () => {
    await openAt('/')
    expect(fetched()).toEqual(['app', 'dashboard'])
    await expect.poll(asked).toHaveLength(5)
    expect(asked()).toEqual(
      expect.arrayContaining(['/GetPersonalPermissions', '/ListHome', '/ListAttention']),
    )
  })

  it('fetches no dashboard file for another screen, but sends its own call', async () => {
    await openAt('/DeviceList/h1')
    expect(fetched()).toEqual(['app'])
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
  expect(fetched()).toEqual([])
  expect(fetching).not.toHaveBeenCalled()
  fetching.mockRestore()
})
