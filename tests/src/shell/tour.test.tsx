import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { homesQuery } from '../../../src/data/homes.ts'
import { queryClient } from '../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../src/lib/i18n/i18n.ts'
import DemoTour from '../../../src/shell/tour/tour.tsx'
import { pagesAt } from '../../support/pages-at.tsx'
import { aHome, prepareSession } from '../support/page.tsx'

beforeEach(async () => {
  prepareSession()
  await loadNamespaces(['tour'])
  queryClient.setQueryData(homesQuery.queryKey, [aHome()])
})

it('opens the page of a step once, and does not return a user who navigates away', async () => {
  const { history, pages } = pagesAt([{ path: '*', element: <DemoTour close={() => {}} /> }], '/elsewhere')
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  expect(history.location.pathname).toBe('/')
  await userEvent.click(await screen.findByRole('button', { name: t('tour:next') }))
  expect(history.location.pathname).toBe('/DeviceList/h1')
  act(() => history.go(-1))
  expect(history.location.pathname).toBe('/')
  act(() => history.go(-1))
  expect(history.location.pathname).toBe('/elsewhere')
})
