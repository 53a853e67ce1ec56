import { render, screen } from '@testing-library/react'
import { ConfigProvider, DatePicker, Empty } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Language } from '../../../src/lib/i18n/words.ts'
import { useLocale } from '../../../src/ui/theme/use-locale.ts'

const drawn = vi.fn()

function Page() {
  useEffect(drawn, [])
  return <Empty />
}

function Frame({ language, page = <Page /> }: { language: Language; page?: ReactNode }) {
  const locale = useLocale(language)
  return locale && <ConfigProvider locale={locale}>{page}</ConfigProvider>
}

describe("the words of the components' library", () => {
  it('come in the language of the person, and follow it, without the page being drawn again', async () => {
    const { rerender } = render(<Frame language="zh-TW" />)
    expect(await screen.findAllByText('無此資料')).not.toEqual([])
    rerender(<Frame language="en-US" />)
    expect(await screen.findAllByText('No data')).not.toEqual([])
    expect(drawn).toHaveBeenCalledTimes(1)
  })

  it.each(['zh-TW', 'en-US'] as const)(
    'begin a week on Monday, as the calendar does: %s',
    async (language) => {
      render(<Frame language={language} page={<DatePicker open />} />)
      await screen.findByPlaceholderText({ 'zh-TW': '請選擇日期', 'en-US': 'Select date' }[language])
      const [first] = await screen.findAllByRole('columnheader')
      expect(first?.textContent).toBe({ 'zh-TW': '一', 'en-US': 'Mo' }[language])
    },
  )
})
