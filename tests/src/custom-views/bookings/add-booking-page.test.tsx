import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { homeLists } from '../../../../contract/procedures/home-lists.ts'
import { people } from '../../../../contract/procedures/people.ts'
import { conferenceRoom } from '../../../../contract/resources/conference-room.ts'
import AddBookingPage from '../../../../src/custom-views/bookings/add-booking-page.tsx'
import { queryClient } from '../../../../src/providers/api.ts'
import { loadNamespaces } from '../../../../src/providers/i18n.ts'
import { me } from '../../../../src/providers/session.ts'
import { answers, server, signInAs, subUser } from '../../../support/msw.ts'

it('says to who may only look which right is missing to book, and who can grant it', async () => {
  await loadNamespaces(['bookings'])
  const viewer = subUser([{ FeatureKey: 'conference_room', OperationList: ['Read'] }])
  signInAs(viewer)
  me.set(viewer)
  server.use(
    answers(homeLists.listHome, []),
    answers(conferenceRoom.operations.list, []),
    answers(people.listGrantors, [{ Name: '示範擁有者' }]),
  )
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter>
          <AddBookingPage />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/您缺少「會議室」的「新增」權限/)).toBeTruthy()
  expect(await screen.findByText('可以授權的人：示範擁有者')).toBeTruthy()
})
