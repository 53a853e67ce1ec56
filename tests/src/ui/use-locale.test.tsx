import { render, screen } from '@testing-library/react'
import { ConfigProvider, Empty } from 'antd'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Language } from '../../../src/providers/i18n.ts'
import { useLocale } from '../../../src/ui/use-locale.ts'

const drawn = vi.fn()

function Page() {
  useEffect(drawn, [])
  return <Empty />
}

function Frame({ language }: { language: Language }) {
  const locale = useLocale(language)
  return (
    <ConfigProvider locale={locale}>
      <Page />
    </ConfigProvider>
  )
}

describe("the words of the components' library", () => {
  it('come in the language of the person, and follow it, without the page being drawn anew', async () => {
    const { rerender } = render(<Frame language="zh-TW" />)
    expect(await screen.findAllByText('無此資料')).not.toEqual([])
    rerender(<Frame language="en-US" />)
    expect(await screen.findAllByText('No data')).not.toEqual([])
    expect(drawn).toHaveBeenCalledTimes(1)
  })
})
