import { fireEvent, screen } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { unmapped, type UnmappedValue } from '../../../../contract/setup/calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { UnmappedTopics } from '../../../../src/custom-views/device-panel/unmapped-topics.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage } from '../../support/page.tsx'

const Since = Date.parse('2026-01-05T00:00:00Z')
const anEntry = (changes: Partial<UnmappedValue> = {}): UnmappedValue => ({
  ...{ Topic: 'shellies/roller-1/roller/0', Name: '捲門', Reason: 'noType', Detail: 'no type for roller/n' },
  ...{ Since, ...changes },
})

beforeAll(() => loadNamespaces(['devices', 'screens']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  )
})
const open = (Entries: UnmappedValue[], Total = Entries.length, ReportedAt: number | null = Since) => {
  server.use(answers(unmapped.listUnmapped, { ReportedAt, Total, Entries }))
  openPage(<UnmappedTopics homeId="h1" thingName="hub-1" />, '/', '/')
}

describe('unmapped topics of a hub', () => {
  it('are listed with topic, reason and time', async () => {
    open([anEntry(), anEntry({ Topic: 'x/config', Name: null, Reason: 'template', Detail: null })])
    expect(await screen.findByRole('heading', { name: '收到但未顯示' })).toBeTruthy()
    const lines = await screen.findAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /^捲門 shellies\/roller-1\/roller\/0.*起沒有對應的裝置類型或欄位。 閘道器的說明：no type for roller\/n$/,
      ),
      expect.stringMatching(/^ ?x\/config.*裝置公告的範本無法使用。$/),
    ])
    expect(screen.getByText(/收到 2 項/)).toBeTruthy()
  })

  it('are partly shown until the user asks for all, with the number of others', async () => {
    open(
      Array.from({ length: 12 }, (_, i) => anEntry({ Topic: `t/${i}` })),
      431,
    )
    expect(await screen.findAllByRole('listitem')).toHaveLength(10)
    expect(screen.queryByText(/未列出/)).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /全部 12 項/ }))
    expect(screen.getAllByRole('listitem')).toHaveLength(12)
    expect(screen.getByText('另有 419 項未列出。')).toBeTruthy()
  })

  it('say that all are shown if none is left', async () => {
    open([])
    expect(await screen.findByText('閘道器收到的內容都已顯示。')).toBeTruthy()
  })

  it('are not hidden if loading failed', async () => {
    server.use(rejectCall(unmapped.listUnmapped, 'INTERNAL'))
    openPage(<UnmappedTopics homeId="h1" thingName="hub-1" />, '/', '/')
    expect(await screen.findByRole('button', { name: '重試' })).toBeTruthy()
  })

  it('have no section for a hub that does not report them', async () => {
    open([], 0, null)
    await expect.poll(() => screen.queryByRole('heading')).toBeNull()
  })
})
