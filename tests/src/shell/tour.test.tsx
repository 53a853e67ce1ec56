import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { attention } from '../../../contract/attention/calls.ts'
import { findings } from '../../../contract/findings/calls.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { homesQuery } from '../../../src/data/homes.ts'
import { showNoticesWith, type Notice } from '../../../src/data/notices.ts'
import { hasTour } from '../../../src/data/tour-offer.ts'
import { queryClient } from '../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../src/lib/i18n/i18n.ts'
import DemoTour from '../../../src/shell/tour/tour.tsx'
import { pagesAt } from '../../support/pages-at.tsx'
import { aSaving } from '../../support/a-finding.ts'
import { anAttention } from '../../support/an-attention.ts'
import { answers, rejectCall, server } from '../../support/msw.ts'
import { aHome, prepareSession } from '../support/page.tsx'

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
