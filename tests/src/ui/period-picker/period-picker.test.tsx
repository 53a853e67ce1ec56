import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import type { PeriodChoice } from '../../../../src/ui/inputs/period-picker/period.ts'
import { PeriodPicker } from '../../../../src/ui/inputs/period-picker/period-picker.tsx'
import { PATIENT } from '../../../support/patient.ts'

const ZONE = 'Asia/Taipei'
const onChange = vi.fn<(next: { range: string; compare: string }) => void>()
function Picker({ range }: { range: string }) {
  const [value, setValue] = useState<PeriodChoice>({ range, compare: 'off' })
  return (
    <PeriodPicker
      value={value}
      zone={ZONE}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}
const first = () => screen.findByLabelText<HTMLInputElement>('開始日期', {}, PATIENT)
const last = () => screen.findByLabelText<HTMLInputElement>('結束日期', {}, PATIENT)

beforeAll(() => loadNamespaces(['charts', 'shell']))
beforeEach(() => onChange.mockClear())

describe('custom dates of a period', () => {
  it('show the days of the address, and apply typed ones', async () => {
    render(<Picker range="2025-10-01..2025-10-07" />)
    const user = userEvent.setup()
    expect((await first()).value).toBe('2025-10-01')
    expect((await last()).value).toBe('2025-10-07')
    await user.click(await first())
    await user.clear(await first())
    await user.paste('2025-09-15')
    await user.keyboard('{Enter}')
    await user.clear(await last())
    await user.paste('2025-09-20')
    await user.keyboard('{Enter}')
    await vi.waitFor(
      () => expect(onChange).toHaveBeenLastCalledWith({ range: '2025-09-15..2025-09-20', compare: 'off' }),
      PATIENT,
    )
  })

  it('are never in the future', async () => {
    const today = dayOf(Date.now(), ZONE)
    render(<Picker range="2025-10-01..2025-10-07" />)
    const user = userEvent.setup()
    await user.click(await last())
    await user.clear(await last())
    await user.paste(formatDay(today + 2))
    await user.keyboard('{Enter}{Escape}')
    await user.tab()
    expect(onChange).not.toHaveBeenCalled()
  })

  it("mark the home's current day, on any day of the browser", async () => {
    const today = dayOf(Date.now(), ZONE)
    render(<Picker range={`${formatDay(today - 1)}..${formatDay(today)}`} />)
    await userEvent.setup().click(await last())
    const marked = document.querySelectorAll('[aria-current=date]')
    expect(marked.length).toBeGreaterThan(0)
    expect(marked[0]?.textContent).toBe(String(Number(formatDay(today).slice(-2))))
  })

  it('are hidden while a preset defines the period', () => {
    render(<Picker range="today" />)
    expect(screen.queryByLabelText('開始日期')).toBeNull()
  })

  it('are hidden while they equal a preset today', () => {
    render(<Picker range={formatDay(dayOf(Date.now(), ZONE))} />)
    expect(screen.getByDisplayValue('今天')).toBeTruthy()
    expect(screen.queryByLabelText('開始日期')).toBeNull()
  })
})
