import { act, render, screen } from '@testing-library/react'
import { DatePicker, Empty } from 'antd'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { withAntDesign } from '../../../src/ui/theme/ant-design.tsx'
import { loadLocale } from '../../../src/ui/theme/locale.ts'

const drawn = vi.fn()

function Page() {
  useEffect(drawn, [])
  return <Empty />
}

const Framed = withAntDesign(Page)
const Picker = withAntDesign(() => <DatePicker open />)

describe("the words of the components' library", () => {
  it('come in the language of the person, and follow it, without the page being drawn again', async () => {
    await loadLocale('zh-TW')
    render(<Framed />)
    expect(screen.getAllByText('無此資料')).not.toEqual([])
    await act(() => loadLocale('en-US'))
    expect(screen.getAllByText('No data')).not.toEqual([])
    expect(drawn).toHaveBeenCalledTimes(1)
  })

  it('are those of the language that was chosen last, whichever comes first', async () => {
    await Promise.all([loadLocale('zh-TW'), loadLocale('en-US')])
    render(<Framed />)
    expect(screen.getAllByText('No data')).not.toEqual([])
  })

  it.each(['zh-TW', 'en-US'] as const)(
    'begin a week on Monday, as the calendar does: %s',
    async (language) => {
      await loadLocale(language)
      render(<Picker />)
      await screen.findByPlaceholderText({ 'zh-TW': '請選擇日期', 'en-US': 'Select date' }[language])
      const [first] = await screen.findAllByRole('columnheader')
      expect(first?.textContent).toBe({ 'zh-TW': '一', 'en-US': 'Mo' }[language])
    },
  )
})
