import { act, render, screen } from '@testing-library/react'
import { DatePicker, Empty } from 'antd'
import { useEffect } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { changeLanguage } from '../../../../src/lib/i18n/i18n.ts'
import { withAntDesign } from '../../../../src/ui/page/ant-design.tsx'
import { antdLocale, loadLocale } from '../../../../src/ui/theme/locale.ts'

const drawn = vi.fn()

function Page() {
  useEffect(drawn, [])
  return <Empty />
}

const Framed = withAntDesign(Page)
const Picker = withAntDesign(() => <DatePicker open />)

afterEach(() => changeLanguage('zh-TW'))

describe('the texts of the component library', () => {
  it("follow the person's language without a page re-render", async () => {
    render(<Framed />)
    expect(await screen.findAllByText('無此資料')).not.toEqual([])
    await act(() => changeLanguage('en-US'))
    expect(await screen.findAllByText('No data')).not.toEqual([])
    expect(drawn).toHaveBeenCalledTimes(1)
  })

  it('use the last selected language, whichever loads first', async () => {
    await Promise.all([loadLocale('zh-TW'), loadLocale('en-US')])
    expect(antdLocale.get()).toBeUndefined()
    await Promise.all([loadLocale('en-US'), loadLocale('zh-TW')])
    expect(antdLocale.get()?.locale).toBe('zh-tw')
  })

  it.each(['zh-TW', 'en-US'] as const)('begin a week on Monday, like the calendar: %s', async (language) => {
    await changeLanguage(language)
    await loadLocale(language)
    render(<Picker />)
    await screen.findByPlaceholderText({ 'zh-TW': '請選擇日期', 'en-US': 'Select date' }[language])
    const [first] = await screen.findAllByRole('columnheader')
    expect(first?.textContent).toBe({ 'zh-TW': '一', 'en-US': 'Mo' }[language])
  })
})
