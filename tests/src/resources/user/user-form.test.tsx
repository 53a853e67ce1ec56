import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { home } from '../../../../contract/homes/home.ts'
import { department } from '../../../../contract/people/department.ts'
import { PERMISSION_TEMPLATES } from '../../../../contract/people/permission-templates.ts'
import { user, type User } from '../../../../contract/people/user.ts'
import { showNoticesWith } from '../../../../src/data/notices.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import '../../../../src/screens.ts'
import users from '../../../../src/resources/user/record.tsx'
import { answers, requests, owner, rejectCall, server } from '../../../support/msw.ts'
import { prepareSession, sentTo } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'
import { onPhone } from '../../../support/on-phone.ts'

const person: User = {
  CognitoId: '0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0009',
  Email: 'operator@company.example',
  FirstName: '大明',
  LastName: '王',
  nickname: '',
  DepartmentID: null,
  enabled: true,
  rank: 3,
  Permissions: [{ FeatureKey: 'room', OperationList: ['Read'] }],
  HomeGrants: [],
  InvitedUntil: null,
  Version: 1,
}
const root: User = { ...person, ...owner, DepartmentID: null, enabled: true, rank: 99 }

const open = (address: string) =>
  openRefinePages(
    [
      { path: '/user/list', element: <h1>the list</h1> },
      { path: '/user/add', element: <users.Create /> },
      { path: '/user/:userID', element: <users.Edit /> },
    ],
    address,
  )
// By label, not by role: the page has 150 checkboxes, and computing the name of each is slow.
const field = (name: RegExp) => screen.findByLabelText(name)
const enter = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } })
const dialog = () =>
  waitFor(() => screen.getByText((_, each) => each?.classList.contains('ant-modal-body') === true))
const save = () => fireEvent.click(screen.getByText(/^儲\s*存$/))

beforeEach(async () => {
  await loadNamespaces(['people'])
  prepareSession()
  server.use(
    answers(user.operations.get, (body) => {
      const { CognitoId } = body as { CognitoId: string }
      return CognitoId === root.CognitoId ? root : person
    }),
    answers(user.operations.page, { Rows: [], NextCursor: null, Total: 0 }),
    answers(department.operations.list, []),
    answers(user.operations.update, person),
    answers(user.operations.create, person),
  )
})

describe('the page of a person', () => {
  it('shows stored values and sends changes, including rank and rights', async () => {
    onPhone()
    open(`/user/${person.CognitoId}`)
    expect(await screen.findByText('王大明')).toBeTruthy()
    const rank = await field(/職級/)
    expect((rank as HTMLInputElement).value).toBe('3')
    enter(rank, '7')
    // As on a phone: a feature expands to its operations.
    fireEvent.click(screen.getByText('房間', { selector: 'button *' }))
    fireEvent.click(screen.getByLabelText('房間：修改'))
    save()
    // Before saving, a confirmation lists the granted rights and states that the person is signed out.
    const asked = await dialog()
    expect(asked.textContent).toContain('房間：修改')
    expect(asked.textContent).toContain('必須重新登入')
    expect(sentTo(user.operations.update)).toEqual([])
    fireEvent.click(within(asked).getByText(/儲\s*存/))
    expect(await screen.findByText('the list')).toBeTruthy()
    expect(sentTo(user.operations.update)).toEqual([
      expect.objectContaining({
        Email: person.Email,
        rank: 7,
        Version: 1,
        Permissions: [{ FeatureKey: 'room', OperationList: ['Read', 'Update'] }],
      }),
    ])
  })

  it('offers the roles first, and folds the single rights', async () => {
    open(`/user/${person.CognitoId}`)
    const custom = await screen.findByRole<HTMLInputElement>('radio', { name: /^自訂/ })
    expect(custom.checked).toBe(true)
    const fold = screen.getByText('調整個別權限').closest('details') as HTMLDetailsElement
    expect(fold.open).toBe(false)
    expect(fold.contains(screen.getByLabelText('房間：修改'))).toBe(true)
    fireEvent.click(screen.getByRole('radio', { name: /^操作員/ }))
    expect(screen.queryByRole('radio', { name: /^自訂/ })).toBeNull()
    save()
    fireEvent.click(within(await dialog()).getByText(/儲\s*存/))
    await waitFor(() =>
      expect(sentTo(user.operations.update)).toMatchObject([{ Permissions: PERMISSION_TEMPLATES.operator }]),
    )
  })

  it.each([
    [
      'an invitation',
      { InvitedUntil: Date.now() + 3_600_000 },
      '此人的邀請會失效，請再寄送一次',
      '的邀請已失效，請再寄送一次',
    ],
    ['an initial password', { HasInitialPassword: true }, '此人尚未使用的初始密碼會失效', '的初始密碼已失效'],
  ])(
    'says before and after a change of rights that it revokes %s not used yet',
    async (_, pending, before, after) => {
      onPhone()
      const said: string[] = []
      const end = showNoticesWith(({ text }) => said.push(text()), String)
      const waiting = { ...person, ...pending }
      const granted = [{ FeatureKey: 'room' as const, OperationList: ['Read' as const, 'Update' as const] }]
      server.use(
        answers(user.operations.get, waiting),
        answers(user.operations.update, { ...waiting, Permissions: granted, Version: 2 }),
      )
      open(`/user/${person.CognitoId}`)
      expect((await screen.findByText(new RegExp(before))).textContent).toContain('變更權限後')
      fireEvent.click(screen.getByText('房間', { selector: 'button *' }))
      fireEvent.click(screen.getByLabelText('房間：修改'))
      save()
      const asked = await dialog()
      expect(asked.textContent).toContain(before)
      fireEvent.click(within(asked).getByText(/儲\s*存/))
      await waitFor(() => expect(said.join()).toContain(after))
      end()
    },
  )

  it('sends no password if none is typed', async () => {
    open(`/user/${person.CognitoId}`)
    enter(await field(/暱稱/), 'Ming')
    save()
    await waitFor(() => expect(sentTo(user.operations.update)).toHaveLength(1))
    expect(sentTo(user.operations.update)[0]).not.toHaveProperty('password')
  })

  it('offers neither rights nor deactivation for the owner', async () => {
    open(`/user/${root.CognitoId}`)
    expect(await field(/暱稱/)).toBeTruthy()
    expect(document.querySelector('[role=switch]')).toBeNull()
    expect(document.querySelector('table')).toBeNull()
  })

  it('says in a heading that a person does not exist, and links back', async () => {
    server.use(rejectCall(user.operations.get, 'INVALID'))
    open('/user/nobody')
    expect(await screen.findByRole('heading', { name: /此使用者不存在/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: '回使用者清單' }).getAttribute('href')).toBe('/user/list')
  })
})

describe('two editors of the same person', () => {
  const theirs: User = { ...person, rank: 50, Permissions: [], Version: 2 }
  const meet = async () => {
    open(`/user/${person.CognitoId}`)
    enter(await field(/暱稱/), 'Ming')
    server.use(
      rejectCall(user.operations.update, 'CONFLICT', { fields: { Version: 'changed' } }),
      answers(user.operations.get, theirs),
    )
    save()
    const said = await screen.findByText('其他人剛修改過這筆資料')
    return said.closest('[role=alert]') as HTMLElement
  }

  it("see the other's changes, and overwrite nothing before they choose", async () => {
    const alert = await meet()
    expect(alert.textContent).toContain('職級350')
    expect(alert.textContent).toContain('房間：檢視')
    expect(screen.getByText(/^儲\s*存$/).closest('button')?.disabled).toBe(true)
    fireEvent.click(within(alert).getByText('採用對方的內容'))
    expect(((await field(/職級/)) as HTMLInputElement).value).toBe('50')
    expect(((await field(/暱稱/)) as HTMLInputElement).value).toBe('')
    expect(screen.queryByText('其他人剛修改過這筆資料')).toBeNull()
  })

  it('can keep their own: the next save names the version it replaces', async () => {
    const alert = await meet()
    fireEvent.click(within(alert).getByText(/保留我的內容/))
    server.use(answers(user.operations.update, { ...theirs, Version: 3 }))
    requests.length = 0
    save()
    const asked = await dialog()
    fireEvent.click(within(asked).getByText(/儲\s*存/))
    await waitFor(() => expect(sentTo(user.operations.update)).toHaveLength(1))
    expect(sentTo(user.operations.update)[0]).toMatchObject({ nickname: 'Ming', rank: 3, Version: 2 })
  })
})

describe('the pages that a person sees', () => {
  it('follow the rights in the form: open pages, closed pages and the missing right', async () => {
    server.use(answers(home.operations.list, []))
    open(`/user/${person.CognitoId}`)
    fireEvent.click(await screen.findByText('以此人的角度檢視'))
    const shown = await dialog()
    const line = (page: string) =>
      within(shown)
        .getAllByText(page)
        .map((each) => each.closest('li')?.textContent)
        .join()
    expect(line('房間設定')).toContain('可開啟')
    expect(line('公司資料')).toContain('缺少「公司資料」的「檢視」權限')
  })
})

describe('adding a person', () => {
  it('sends nothing before address and password are valid, and shows errors', async () => {
    open('/user/add')
    enter(await field(/電子郵件/), 'not an address')
    save()
    await waitFor(() => expect(document.querySelectorAll('.ant-form-item-explain-error').length).toBe(2))
    expect(sentTo(user.operations.create)).toEqual([])
  })

  it("shows the server's message in a dialog titled Error, and the taken address at its field", async () => {
    onPhone()
    const error = 'Somebody has this address'
    server.use(rejectCall(user.operations.create, 'CONFLICT', { error, fields: { Email: 'taken' } }))
    open('/user/add')
    enter(await field(/電子郵件/), 'operator@company.example')
    enter(screen.getByLabelText(/密碼/, { selector: 'input' }), 'initial1')
    save()
    const said = await dialog()
    expect(said.textContent).toContain('錯誤')
    expect(said.textContent).toContain('已被使用，請換一個')
    expect(said.textContent).toContain(error)
    fireEvent.click(within(said).getByText(/^確\s*定$/))
    await waitFor(() => expect(document.querySelector('.ant-form-item-explain-error')).not.toBeNull())
    expect(screen.queryByRole('heading', { name: 'the list' })).toBeNull()
    expect(sentTo(user.operations.create)[0]).toMatchObject({ rank: 0, password: 'initial1' })
  })
})
