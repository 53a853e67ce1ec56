import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { personData } from '../../../../contract/people/person-data-calls.ts'
import { PersonDataButtons } from '../../../../src/domain/person-data/person-data-buttons.tsx'
import * as files from '../../../../src/lib/save-file.ts'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { prepareSession, openPage, sentTo } from '../../support/page.tsx'

const ID = '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0009'
const DATA = {
  ExportedAt: Date.UTC(2026, 0, 5),
  Sections: { Profile: [{ email: 'ming@example.com' }] },
  LeftOut: {},
}
const erased = vi.fn()
const open = () =>
  openPage(
    <PersonDataButtons of={{ CognitoId: ID }} name="王大明" email="ming@example.com" erased={erased} />,
    '/',
    '/',
  )
const buttonNamed = (name: RegExp) => screen.getByRole('button', { name })

describe('stored data of a person', () => {
  let save: ReturnType<typeof vi.spyOn>
  beforeEach(() => {
    prepareSession()
    erased.mockClear()
    save = vi.spyOn(files, 'saveFile').mockImplementation(() => {})
    server.use(
      answers(personData.exportUserData, DATA),
      answers(personData.eraseUserData, { Pseudonym: '已刪除 Deleted 7F3A21BC' }),
    )
  })
  afterEach(() => save.mockRestore())

  it('is saved as an indented JSON file named after the person and the day', async () => {
    open()
    fireEvent.click(buttonNamed(/^匯出資料$/))
    await waitFor(() => expect(save).toHaveBeenCalled())
    expect(save.mock.calls[0]).toEqual([
      '王大明 2026-01-05.json',
      `${JSON.stringify(DATA, null, 2)}\n`,
      'application/json',
    ])
  })

  it('includes the photo itself, and counts unreadable ones', async () => {
    const employee = (photo_url: string) => ({ employee_id: 'e1', photo_url })
    const photos = [employee('http://127.0.0.1/images/a.png'), employee('http://127.0.0.1/images/gone.png')]
    server.use(
      answers(personData.exportUserData, { ...DATA, Sections: { ...DATA.Sections, Employee: photos } }),
      http.get('*/images/a.png', () => new HttpResponse('PNG', { headers: { 'content-type': 'image/png' } })),
      http.get('*/images/gone.png', () => new HttpResponse(null, { status: 404 })),
    )
    open()
    fireEvent.click(buttonNamed(/^匯出資料$/))
    await waitFor(() => expect(save).toHaveBeenCalled())
    expect(JSON.parse(save.mock.calls[0]?.[1] as string)).toMatchObject({
      Sections: { ...DATA.Sections, Employee: [employee('data:image/png;base64,UE5H'), { photo_url: null }] },
      LeftOut: { Photo: 1 },
    })
  })

  it('is erased only after the email or the name was typed', async () => {
    open()
    fireEvent.click(buttonNamed(/^永久刪除個資$/))
    const field = await screen.findByLabelText(/ming@example\.com/)
    const confirm = () => document.querySelector<HTMLButtonElement>('.ant-modal-footer .ant-btn-dangerous')
    expect(confirm()?.disabled).toBe(true)
    fireEvent.change(field, { target: { value: 'Ming@Example.com' } })
    expect(confirm()?.disabled).toBe(false)
    fireEvent.click(confirm() as HTMLButtonElement)
    await waitFor(() => expect(erased).toHaveBeenCalled())
    expect(sentTo(personData.eraseUserData)).toMatchObject([
      { CognitoId: ID, Confirmation: 'Ming@Example.com' },
    ])
  })

  it('stays if the gateway rejects it, and the dialog shows the reason', async () => {
    server.use(rejectCall(personData.eraseUserData, 'CONFLICT', { fields: { CognitoId: 'hasAccount' } }))
    open()
    fireEvent.click(buttonNamed(/^永久刪除個資$/))
    const field = await screen.findByLabelText(/ming@example\.com/)
    fireEvent.change(field, { target: { value: '王大明' } })
    fireEvent.submit(field)
    expect((await screen.findByRole('alert')).textContent).toContain('使用者帳號或員工資料')
    expect(erased).not.toHaveBeenCalled()
  })

  it('is offered only with the rights', () => {
    prepareSession(subUser([{ FeatureKey: 'user', OperationList: ['Read', 'Export'] }]))
    open()
    expect(screen.queryByRole('button')).toBeNull()
  })
})
