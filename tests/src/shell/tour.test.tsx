import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { AttentionItem } from '../../../contract/attention/attention.ts'
import { attention } from '../../../contract/attention/calls.ts'
import { findings } from '../../../contract/findings/calls.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { homesQuery } from '../../../src/data/homes.ts'
import { showNoticesWith, type Notice } from '../../../src/data/notices.ts'
import { me } from '../../../src/data/session.ts'
import { hasTour, markTourOffered, wasTourOffered } from '../../../src/data/tour-offer.ts'
import { queryClient } from '../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../src/lib/i18n/i18n.ts'
import { signOut } from '../../../src/live/sign-out.ts'
import DemoTour from '../../../src/shell/tour/tour.tsx'
import { pagesAt } from '../../support/pages-at.tsx'
import { aSaving } from '../../support/a-finding.ts'
import { anAttention } from '../../support/an-attention.ts'
import { answers, owner, rejectCall, server, subUser } from '../../support/msw.ts'
import { aHome, prepareSession } from '../support/page.tsx'

const anItem: AttentionItem = {
  ...{ Key: 'hubLost/on', Kind: 'hubLost', Severity: 'critical' },
  ...{ HomeID: 'h1', RoomID: 0, Subject: 'on', Name: '機房閘道器', Since: 0, Stale: null },
  ...{ AlarmID: null, Acknowledged: null, Shelved: null },
}

beforeEach(async () => {
  prepareSession()
  await loadNamespaces(['tour'])
  queryClient.setQueryData(homesQuery.queryKey, [aHome()])
  server.use(
    answers(attention.listAttention, anAttention()),
    answers(findings.getSaving, aSaving()),
    answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }),
  )
})

it('opens the page of a stop once, and does not return a user who navigates away', async () => {
  const { history, pages } = pagesAt([{ path: '*', element: <DemoTour close={() => {}} /> }], '/elsewhere')
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  await userEvent.click(await screen.findByRole('button', { name: t('tour:next') }))
  expect(history.location.pathname).toBe('/insight/h1')
  act(() => history.go(-1))
  expect(history.location.pathname).toBe('/')
  act(() => history.go(-1))
  expect(history.location.pathname).toBe('/elsewhere')
})

it('ends on the dashboard', async () => {
  const { history, pages } = pagesAt([{ path: '*', element: <DemoTour close={() => {}} /> }], '/elsewhere')
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  await userEvent.click(await screen.findByRole('button', { name: t('tour:next') }))
  expect(history.location.pathname).toBe('/insight/h1')
  await userEvent.click(await screen.findByRole('button', { name: t('tour:end') }))
  expect(history.location.pathname).toBe('/')
})

const openTour = (page: ReactElement) => {
  const { pages } = pagesAt(
    [
      {
        path: '*',
        element: (
          <>
            {page}
            <DemoTour close={() => {}} />
          </>
        ),
      },
    ],
    '/',
  )
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
}

it('outlines what a step describes, and leaves the page usable', async () => {
  const act = vi.fn<() => void>()
  openTour(
    <button type="button" data-tour="needs" onClick={act}>
      act
    </button>,
  )
  const target = await screen.findByRole('button', { name: 'act' })
  await waitFor(() => expect(target.hasAttribute('data-tour-target')).toBe(true))
  await userEvent.click(target)
  expect(act).toHaveBeenCalledOnce()
  expect(document.querySelector('[class*="mask"]')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: t('tour:next') }))
  await waitFor(() => expect(target.hasAttribute('data-tour-target')).toBe(false))
})

it('reserves its height in drawers and dialogs until it ends', async () => {
  openTour(<p>page</p>)
  await screen.findByRole('region', { name: t('tour:label') })
  expect(document.documentElement.style.getPropertyValue('--tour-height')).toMatch(/px$/)
  cleanup()
  expect(document.documentElement.style.getPropertyValue('--tour-height')).toBe('')
})

it('lets Tab leave a drawer for its buttons', async () => {
  openTour(
    <>
      <button type="button">in the drawer</button>
      <button type="button" data-sentinel="end" aria-label="end" />
    </>,
  )
  const next = await screen.findByRole('button', { name: t('tour:next') })
  const tour = within(screen.getByRole('region', { name: t('tour:label') }))
  screen.getByRole('button', { name: 'in the drawer' }).focus()
  await userEvent.tab()
  expect(document.activeElement).toBe(tour.getAllByRole('button')[0])
  next.focus()
  await userEvent.tab({ shift: true })
  await userEvent.tab({ shift: true })
  await userEvent.tab({ shift: true })
  expect(document.activeElement?.textContent).toBe('in the drawer')
})

it('tells a viewer nothing that only others may do', async () => {
  server.use(answers(attention.listAttention, anAttention({ Items: [anItem] })))
  me.set(
    subUser([
      { FeatureKey: 'device', OperationList: ['Read'] },
      { FeatureKey: 'electricity', OperationList: ['Read'] },
    ]),
  )
  openTour(<p>page</p>)
  const tour = await screen.findByRole('region', { name: t('tour:label') })
  expect(tour.textContent).toContain(t('tour:steps.needs.textToRead'))
  expect(tour.textContent).not.toContain('標為已知悉')
  await userEvent.click(screen.getByRole('button', { name: t('tour:next') }))
  expect(tour.textContent).toContain(t('tour:steps.saving.textToRead'))
  expect(tour.textContent).not.toContain('負責人')
})

it('is offered once to each user of a browser, also after a sign-out', async () => {
  prepareSession(owner)
  expect(wasTourOffered()).toBe(false)
  markTourOffered()
  await signOut()
  prepareSession(subUser())
  expect(wasTourOffered()).toBe(false)
  prepareSession(owner)
  expect(wasTourOffered()).toBe(true)
})

it('ends with a message if the gateway does not say what is true now', async () => {
  server.use(rejectCall(findings.getSaving, 'INTERNAL'))
  hasTour.set(true)
  const shown: Notice[] = []
  onTestFinished(showNoticesWith((notice) => shown.push(notice), String))
  const { pages } = pagesAt([{ path: '*', element: <DemoTour close={() => {}} /> }], '/elsewhere')
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  await waitFor(() => expect(hasTour.get()).toBe(false))
  expect(shown.map(({ kind }) => kind)).toEqual(['error'])
})
