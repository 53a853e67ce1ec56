import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alarms } from '../../../contract/procedures/alarms.ts'
import { chooseHome } from '../../../src/data/current-home.ts'
import { oldAnswers, queryClient } from '../../../src/data/api.ts'
import { homesKey } from '../../../src/data/homes.ts'
import { loadNamespaces } from '../../../src/lib/i18n/i18n.ts'
import { connection } from '../../../src/live/live.ts'
import AlarmBadge from '../../../src/shell/alarm-badge.tsx'
import { alarmPage } from '../../support/alarm-record.ts'
import { answers, refuses, server } from '../../support/msw.ts'
import { aHome, arrive, sentTo } from '../support/page.tsx'

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <AlarmBadge />
    </QueryClientProvider>,
  ).container
const counts = (unacknowledged: number) =>
  server.use(
    answers(alarms.listAlarm, {
      ...alarmPage([]),
      Counts: { critical: 4, warning: 4, unacknowledged, shelved: 1 },
    }),
  )

beforeEach(async () => {
  await loadNamespaces(['shell'])
  arrive()
  queryClient.setQueryData(homesKey, [aHome()])
  chooseHome('h1')
  connection.state.set('connected')
})
afterEach(() => {
  cleanup()
  connection.state.set('idle')
  chooseHome(undefined)
})

describe('the number beside the alarms in the menu', () => {
  it('is that of the current home which nobody has acknowledged, and follows what others do', async () => {
    counts(3)
    const badge = open()
    await waitFor(() => expect(badge.textContent).toBe('33 則警報未知悉'))
    expect(sentTo(alarms.listAlarm)).toEqual([{ HomeID: 'h1', State: 'open', Limit: 1 }])
    expect(badge.querySelector('[data-alarm=true]')).not.toBeNull()
    counts(0)
    await oldAnswers.tell([{ entity: 'alarm', record: { HomeID: 'h1' } }])
    await waitFor(() => expect(badge.textContent).toBe('00 則警報未知悉'))
    expect(badge.querySelector('[data-alarm=true]')).toBeNull()
  })

  it('is none while it is not known, and not 0', async () => {
    server.use(refuses(alarms.listAlarm, 'UNAVAILABLE'))
    const badge = open()
    await waitFor(() => expect(badge.textContent).toBe('–不知道有幾則警報未知悉'))
  })

  it('is not known while nothing is heard', async () => {
    counts(0)
    const badge = open()
    await waitFor(() => expect(badge.textContent).toBe('00 則警報未知悉'))
    connection.state.set('reconnecting')
    await waitFor(() => expect(badge.textContent).toBe('–不知道有幾則警報未知悉'))
  })
})
