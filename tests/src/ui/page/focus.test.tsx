import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Button, Dropdown, Form, Input } from 'antd'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Drawer, Modal } from '../../../../src/ui/page/dialog.tsx'
import { closeDialogs, confirm } from '../../../../src/ui/page/dialogs.ts'
import { withAntDesign } from '../../../../src/ui/page/ant-design.tsx'
import { Asking } from '../../../support/asking.tsx'

// Without animation, closed elements disappear immediately.
vi.mock(import('../../../../src/ui/theme/antd-theme.ts'), async (original) => {
  const { antdTheme } = await original()
  return {
    antdTheme: (...how) => {
      const { token, ...rest } = antdTheme(...how)
      return { ...rest, token: { ...token, motion: false } }
    },
  }
})

type Kind = 'modal' | 'drawer' | 'confirmation'

/** Page with rows; each row opens a dialog from which it can be deleted. */
const Page = withAntDesign(({ kind }: { kind: Kind }) => {
  const [rows, setRows] = useState(['一', '二'])
  const [open, setOpen] = useState<string>()
  const close = () => setOpen(undefined)
  const remove = (row: string) => setRows(rows.filter((one) => one !== row))
  const ask = (row: string) =>
    kind === 'confirmation'
      ? void confirm({ title: '刪除？', okText: '刪除', cancelText: '取消', onOk: () => remove(row) })
      : setOpen(row)
  const body = open !== undefined && (
    <Form>
      <p>
        <a href="/help">說明</a>
      </p>
      <Input aria-label="名稱" />
      <Button
        onClick={() => {
          remove(open)
          close()
        }}
      >
        刪除
      </Button>
      <Button onClick={close}>取消</Button>
    </Form>
  )
  return (
    <Asking>
      <main id="content" tabIndex={-1}>
        {rows.map((row) => (
          <div key={row}>
            <Button onClick={() => ask(row)}>{`開啟${row}`}</Button>
            <Dropdown
              trigger={['click']}
              menu={{ items: [{ key: 'a', label: `編輯${row}`, onClick: () => ask(row) }] }}
            >
              <Button>{`更多${row}`}</Button>
            </Dropdown>
          </div>
        ))}
      </main>
      {body && kind === 'modal' && (
        <Modal open title="表單" footer={null} onCancel={close}>
          {body}
        </Modal>
      )}
      {body && kind === 'drawer' && (
        <Drawer open title="表單" onClose={close}>
          {body}
        </Drawer>
      )}
    </Asking>
  )
})

const KINDS = ['modal', 'drawer', 'confirmation'] as const
const button = (name: string) => screen.getByRole('button', { name })
const focused = () => document.activeElement
/** Like a browser's event: rc-dialog reads the key code. */
const escape = () => fireEvent.keyDown(focused() as Element, { key: 'Escape', keyCode: 27 })

afterEach(() => act(closeDialogs))

async function open(kind: Kind, how: 'keyboard' | 'mouse', opener = '開啟一') {
  const user = userEvent.setup()
  render(<Page kind={kind} />)
  if (how === 'mouse') await user.click(button(opener))
  else {
    button(opener).focus()
    await user.keyboard('{Enter}')
  }
  const dialog = await screen.findByRole('dialog')
  return { user, dialog }
}

describe.each(KINDS)('a %s', (kind) => {
  it.each(['keyboard', 'mouse'] as const)(
    'opened by %s focuses its first field or its safe answer, and its opener once closed',
    async (how) => {
      const { dialog } = await open(kind, how)
      const first =
        kind === 'confirmation'
          ? within(dialog).getByRole('button', { name: '取消' })
          : within(dialog).getByRole('textbox', { name: '名稱' })
      await waitFor(() => expect(focused()).toBe(first))
      escape()
      await waitFor(() => expect(focused()).toBe(button('開啟一')))
    },
  )

  it('moves the focus to the page if its opener was deleted', async () => {
    const { user, dialog } = await open(kind, 'mouse')
    await user.click(within(dialog).getByRole('button', { name: '刪除' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: '開啟一' })).toBeNull())
    await waitFor(() => expect(focused()).toBe(document.getElementById('content')))
  })
})

it('returns the focus to the menu button that opened a dialog', async () => {
  const user = userEvent.setup()
  render(<Page kind="modal" />)
  await user.click(button('更多一'))
  await user.click(await screen.findByRole('menuitem', { name: '編輯一' }))
  await waitFor(() => expect(focused()).toBe(screen.getByRole('textbox', { name: '名稱' })))
  escape()
  await waitFor(() => expect(focused()).toBe(button('更多一')))
})

it('focuses a field that appears after the dialog has opened', async () => {
  const Late = withAntDesign(() => {
    const [isThere, setIsThere] = useState(false)
    return (
      <>
        <Modal open title="表單" footer={null}>
          {isThere && <Input aria-label="名稱" />}
        </Modal>
        <Button onClick={() => setIsThere(true)}>載入</Button>
      </>
    )
  })
  render(<Late />)
  await screen.findByRole('dialog')
  act(() => screen.getByText('載入').click())
  await waitFor(() => expect(focused()).toBe(screen.getByRole('textbox', { name: '名稱' })))
})

it('focuses a drawer itself if a field would act at once', async () => {
  const Details = withAntDesign(() => (
    <Drawer open focusAtFirst="dialog" title="裝置">
      <Input aria-label="溫度" />
    </Drawer>
  ))
  render(<Details />)
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(focused()?.contains(dialog)).toBe(true))
})
