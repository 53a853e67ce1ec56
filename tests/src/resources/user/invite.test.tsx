import { fireEvent, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { invitations } from '../../../../contract/people/invitation-calls.ts'
import { department } from '../../../../contract/people/department.ts'
import { user } from '../../../../contract/people/user.ts'
import { webConfig } from '../../../../src/data/config.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import users from '../../../../src/resources/user/record.tsx'
import { isRead, readAddresses } from '../../../../src/resources/user/invite/invite-form.tsx'
import { answers, owner, server } from '../../../support/msw.ts'
import { prepareSession, sentTo } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'
import { onPhone } from '../../../support/on-phone.ts'

const sent = { CognitoId: owner.CognitoId, ExpiresAt: 1_800_000_000_000, Sent: true }

const open = (address = '/user/add') =>
  openRefinePages(
    [
      { path: '/user/list', element: <h1>the list</h1> },
      { path: '/user/add', element: <users.Create /> },
    ],
    address,
  )
const enter = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const press = (name: RegExp) => fireEvent.click(screen.getByText(name).closest('button') as HTMLElement)

beforeEach(async () => {
  await loadNamespaces(['people', 'shell'])
  const config = await webConfig()
  Object.assign(config, { Invites: true, MailGoesOut: true })
  onTestFinished(() => {
    delete config.Invites
    delete config.MailGoesOut
  })
  prepareSession()
  server.use(
    answers(invitations.inviteUser, sent),
    answers(department.operations.list, []),
    answers(user.operations.page, { Rows: [], NextCursor: null, Total: 0 }),
  )
})

describe('inviting', () => {
  it('needs only an address: invites a viewer in the language of the screen', async () => {
    open()
    await enter(/電子郵件/, 'mei@company.example')
    press(/^寄送 1 封邀請$/)
    expect(await screen.findByText('the list')).toBeTruthy()
    const [asked] = sentTo(invitations.inviteUser) as { Permissions: object[] }[]
    expect(asked).toMatchObject({ Email: 'mei@company.example', Language: 'zh-TW', DepartmentID: null })
    expect(asked?.Permissions).toContainEqual({ FeatureKey: 'room', OperationList: ['Read'] })
  })

  it('accepts several pasted addresses with a call each, and keeps failed ones', async () => {
    server.use(
      http.post(`*${invitations.inviteUser.path}`, async ({ request }) => {
        const { Email } = (await request.json()) as { Email: string }
        asked.push(Email)
        return Email.startsWith('two')
          ? HttpResponse.json(
              { status: { code: ERRORS.CONFLICT.code, error: 'x', fields: { Email: 'invited' } } },
              { status: 409 },
            )
          : HttpResponse.json({ status: { code: 0 }, results: sent })
      }),
    )
    const asked: string[] = []
    open()
    await enter(/電子郵件/, 'one@company.example; two@company.example\nThree@company.example')
    press(/^寄送 3 封邀請$/)
    expect((await screen.findByRole('alert')).textContent).toContain('two@company.example：已邀請過此地址')
    expect(asked).toEqual(['one@company.example', 'two@company.example', 'three@company.example'])
    expect(screen.getByLabelText(/電子郵件/)).toHaveProperty('value', 'two@company.example')
  })

  it('shows how many rights differ from the selected card', async () => {
    onPhone()
    open()
    fireEvent.click(await screen.findByLabelText(/操作員/))
    fireEvent.click(screen.getByText('調整個別權限'))
    fireEvent.click(await screen.findByText('房間', { selector: 'button *' }))
    fireEvent.click(screen.getByLabelText('房間：修改'))
    fireEvent.click(screen.getByLabelText('房間：檢視'))
    expect(screen.getByLabelText(/操作員/).closest('label')?.textContent).toContain('操作員 +1 −1')
  })

  it('shows the link if no email is sent, with the address of this page', async () => {
    const config = await webConfig()
    config.MailGoesOut = false
    server.use(
      answers(invitations.inviteUser, {
        ...sent,
        Sent: false,
        Link: 'http://localhost:8080/invitation#secret',
      }),
    )
    open()
    await enter(/電子郵件/, 'mei@company.example')
    press(/^建立 1 個邀請連結$/)
    expect(await screen.findByText(`${location.origin}/invitation#secret`)).toBeTruthy()
  })

  it('shows the form with an initial password by the address', async () => {
    open('/user/add?by=password')
    expect(await screen.findByLabelText(/初始密碼/, { selector: 'input' })).toBeTruthy()
  })
})

describe('addresses', () => {
  it('are separated by blanks, commas, semicolons, lines and names before brackets, without duplicates', () => {
    expect(readAddresses('A@x.tw, b@x.tw；c@x.tw\n a@x.tw')).toEqual(['a@x.tw', 'b@x.tw', 'c@x.tw'])
    expect(readAddresses('王 大明 <ming@x.tw>, Mei Lin <mei@x.tw>')).toEqual(['ming@x.tw', 'mei@x.tw'])
  })

  it('are rejected if one is invalid, without any, and beyond fifty', () => {
    expect(readAddresses('a@x.tw, nonsense')).toEqual({ fault: 'email', address: 'nonsense' })
    expect(readAddresses(' ')).toEqual({ fault: 'required' })
    const many = Array.from({ length: 51 }, (_, i) => `p${i}@x.tw`)
    expect(readAddresses(many.join(' '))).toEqual({ fault: 'tooMany' })
    expect(isRead(readAddresses(many.slice(1).join(' ')))).toBe(true)
  })
})
