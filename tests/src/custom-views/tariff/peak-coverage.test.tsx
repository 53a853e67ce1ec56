import { screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { meterData, type Coverage } from '../../../../contract/energy/meter-data-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { PeakCoverage } from '../../../../src/custom-views/tariff/demand-card.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../../../src/lib/i18n/namespaces.ts'
import { answers, server } from '../../../support/msw.ts'
import { point } from '../../domain/energy/points.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'

beforeAll(() => loadNamespaces(['shell', 'errors', ...SCREEN_NAMESPACES, 'energy', 'tariff']))
beforeEach(() => prepareSession())

const told = (Coverage: Coverage) =>
  server.use(
    answers(meterData.getEnergySeries, {
      Series: [{ Key: '', Points: [point(0, 1, { Coverage })] }],
      Meters: { Reporting: 1, Total: 1 },
      Carbon: [],
    }),
  )

it('shows for how much of the month demand may have been higher, while any is unmeasured', async () => {
  server.use(answers(home.operations.list, [aHome()]))
  told({ Measured: 960, Between: 0, Estimated: 24, Corrected: 6, Missing: 10, Withheld: 0 })
  openPage(<PeakCoverage homeId="h1" month="2025-10" />, '/', '/')
  const words = '2025-10 有 3.4% 的時段沒有實測資料，實際最高需量可能更高。'
  expect(await screen.findByText(words)).toBeTruthy()
  await waitFor(() =>
    expect(sentTo(meterData.getEnergySeries)).toContainEqual({
      HomeID: 'h1',
      From: Date.parse('2025-10-01T00:00:00+08:00'),
      To: Date.parse('2025-11-01T00:00:00+08:00'),
      Resolution: 'month',
      By: 'home',
    }),
  )
  told({ Measured: 960, Between: 0, Estimated: 0, Corrected: 40, Missing: 0, Withheld: 0 })
  await queryClient.invalidateQueries()
  await waitFor(() => expect(screen.queryByText(words)).toBeNull())
})
