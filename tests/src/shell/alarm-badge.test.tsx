import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attention } from '../../../contract/attention/calls.ts'
import type { AttentionItem } from '../../../contract/attention/attention.ts'
import { setCurrentHome } from '../../../src/data/current-home.ts'
import { cacheInvalidation, queryClient } from '../../../src/data/api.ts'
import { homesKey } from '../../../src/data/homes.ts'
import { loadNamespaces } from '../../../src/lib/i18n/i18n.ts'
import { connection } from '../../../src/live/channel.ts'
import AlarmBadge from '../../../src/shell/alarm-badge.tsx'
import { anAttention } from '../../support/an-attention.ts'
import { answers, rejectCall, server } from '../../support/msw.ts'
import { aHome, prepareSession, sentTo } from '../support/page.tsx'

const open = (isOfAll = false) =>
  render(
    <QueryClientProvider client={queryClient}>
      <AlarmBadge isOfAll={isOfAll} />
    </QueryClientProvider>,
  ).container
const AlarmID = '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0'
const item = (n: number, more: Partial<AttentionItem> = {}): AttentionItem =>
  ({
    Key: `silent/${n}`,
    Kind: 'silent',
    Severity: 'warning',
    ...{ HomeID: 'h1', RoomID: 0, Subject: `${n}`, Name: `${n}`, Since: 0, Stale: null },
    ...{ AlarmID, Acknowledged: null, Shelved: null },
    ...more,
  }) as AttentionItem
const counts = (open: number) =>
  server.use(
    answers(
      attention.listAttention,
      anAttention({
        Items: [
          ...Array.from({ length: open }, (_, i) => item(i)),
          item(7, { Acknowledged: { By: '王小明', At: 0, Comment: null } }),
          item(8, { HomeID: 'h2' }),
          item(9, { AlarmID: null }),
        ],
      }),
    ),
  )

beforeEach(async () => {
  await loadNamespaces(['shell'])
  prepareSession()
  queryClient.setQueryData(homesKey, [aHome()])
  setCurrentHome('h1')
  connection.state.set('connected')
})
afterEach(() => {
  cleanup()
  connection.state.set('idle')
  setCurrentHome(undefined)
})

describe('the alarm count in the menu', () => {
  it('counts unacknowledged alarms of the current home, and follows other users', async () => {
    counts(3)
    const badge = open()
    await waitFor(() => expect(badge.textContent).toBe('33 則警報未知悉'))
    expect(sentTo(attention.listAttention)).toEqual([{}])
    expect(badge.querySelector('[data-alarm=true]')).not.toBeNull()
    expect(badge.querySelector('[title="總部：3 則警報未知悉"]')).not.toBeNull()
    counts(0)
    await cacheInvalidation.invalidate([{ entity: 'alarm', record: { HomeID: 'h1' } }])
    await waitFor(() => expect(badge.textContent).toBe('00 則警報未知悉'))
    expect(badge.querySelector('[data-alarm=false]')).not.toBeNull()
  })

  it('counts those of all homes on a page about all of them', async () => {
    counts(3)
    const badge = open(true)
    await waitFor(() => expect(badge.textContent).toBe('44 則警報未知悉'))
    expect(badge.querySelector('[title="全公司：4 則警報未知悉"]')).not.toBeNull()
  })

  it('is empty while unknown, not 0', async () => {
    server.use(rejectCall(attention.listAttention, 'UNAVAILABLE'))
    const badge = open()
    await waitFor(() => expect(badge.textContent).toBe('–無法取得未知悉的警報數'))
    // The bottom bar hides the number 0, but not the dash.
    expect(badge.querySelector('[data-alarm]')).toBeNull()
  })

  it('is unknown while the channel is down', async () => {
    counts(0)
    const badge = open()
    await waitFor(() => expect(badge.textContent).toBe('00 則警報未知悉'))
    connection.state.set('reconnecting')
    await waitFor(() => expect(badge.textContent).toBe('–無法取得未知悉的警報數'))
  })
})
