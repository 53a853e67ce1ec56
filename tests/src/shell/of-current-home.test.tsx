import { screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router'
import { expect, it } from 'vitest'
import { home } from '../../../contract/homes/home.ts'
import { setCurrentHome } from '../../../src/data/current-home.ts'
import { OfCurrentHome } from '../../../src/shell/of-current-home.tsx'
import { aHome, prepareSession, openPages } from '../support/page.tsx'
import { answers, server } from '../../support/msw.ts'

function Alarms() {
  const { pathname, search } = useLocation()
  return <p>{pathname + search}</p>
}

it('redirects an address without a home to the page of the current one, with its parameters', async () => {
  prepareSession()
  server.use(answers(home.operations.list, [aHome(), aHome({ HomeID: 'h2', HomeName: '台中工廠' })]))
  setCurrentHome('h2')
  openPages(
    [
      { path: '/Alarm', element: <OfCurrentHome name="Alarm" /> },
      { path: '/Alarm/:HomeID', element: <Alarms /> },
    ],
    '/Alarm?tab=live',
  )
  await waitFor(() => expect(screen.getByText('/Alarm/h2?tab=live')).toBeTruthy())
})
