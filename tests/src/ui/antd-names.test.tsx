import { CheckCircleFilled, DeleteOutlined } from '@ant-design/icons'
import { act, render, screen } from '@testing-library/react'
import { Alert, Button, DatePicker, Input, InputNumber, Modal, notification } from 'antd'
import { useEffect } from 'react'
import { afterEach, expect, it } from 'vitest'
import { changeLanguage } from '../../../src/lib/i18n/i18n.ts'
import { withAntDesign } from '../../../src/ui/page/ant-design.tsx'

const Page = withAntDesign(() => (
  <>
    <Button icon={<DeleteOutlined />}>刪除房間</Button>
    <CheckCircleFilled aria-label="已完成" />
    <Input aria-label="名稱" allowClear defaultValue="一樓" />
    <InputNumber aria-label="瓦" />
    <Alert showIcon type="info" message="沒有資料" />
    <DatePicker.RangePicker />
    <Modal open title="房間" footer={null} />
  </>
))

const names = () =>
  new Set(
    [...document.body.querySelectorAll('[aria-label]:not([aria-hidden])')].map((element) =>
      element.getAttribute('aria-label'),
    ),
  )

afterEach(() => act(() => changeLanguage('zh-TW')))

it('labels parts of Ant Design in the language of the page and hides decorative icons', async () => {
  render(<Page />)
  await screen.findByRole('dialog')
  expect(names()).toEqual(new Set(['名稱', '瓦', '已完成', '增加', '減少', '清除', '關閉']))
})

it('labels them again when the language changes', async () => {
  render(<Page />)
  await screen.findByRole('dialog')
  await act(() => changeLanguage('en-US'))
  expect([...names()]).toEqual(expect.arrayContaining(['Increase', 'Decrease', 'Clear', 'Close']))
})

it('gives the close button of a notice a role, which its label needs', async () => {
  const Notice = withAntDesign(() => {
    const [api, holder] = notification.useNotification()
    useEffect(() => api.info({ message: '完成', duration: 0 }), [api])
    return holder
  })
  render(<Notice />)
  expect(await screen.findByRole('button', { name: '關閉' })).toBeTruthy()
})
