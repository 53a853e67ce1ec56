import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { push } from '../../../../contract/notifications/push-calls.ts'
import { department } from '../../../../contract/people/department.ts'
import Broadcast from '../../../../src/custom-views/company/broadcast.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { homesKey } from '../../../../src/data/homes.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { answers, owner, rejectCall, server, subUser } from '../../../support/msw.ts'
import { collectNotices } from '../../support/acting-home.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'
const field = (key: 'subject' | 'text' | 'home' | 'departments') => t(`push:broadcast.${key}`)

/** antd inserts a space between the two characters of a button label. */
const BUTTONS = { send: /^發\s*布$/, cancel: /^取\s*消$/ }

beforeEach(async () => {
  await loadNamespaces(['push', 'screens'])
})

/** Opens the dialog for a broadcast. */
async function write(person = owner) {
  prepareSession(person)
  queryClient.setQueryData(homesKey, [aHome()])
  server.use(answers(department.operations.list, [{ DepartmentID: 'd1', Department: '廠務' }]))
  const { user } = openPage(<Broadcast />, '*', '/CompanyProfile')
  await user.click(screen.getByRole('button', { name: /發布公告$/ }))
  const dialog = within(await screen.findByRole('dialog', { name: t('push:broadcast.open') }))
  const send = () => dialog.getByRole('button', { name: BUTTONS.send })
  const say = async (title: string, text: string) => {
    await user.type(dialog.getByRole('textbox', { name: field('subject') }), title)
    await user.type(dialog.getByRole('textbox', { name: field('text') }), text)
  }
  let asked = 0
  /** Presses the button of the confirmation. An answered confirmation stays: without styles no animation ends. */
  const answer = async (key: 'send' | 'cancel', question: string) => {
    asked += 1
    const text = await waitFor(() => {
      const all = screen.getAllByText(question)
      expect(all).toHaveLength(asked)
      return all.at(-1) as HTMLElement
    })
    const box = text.closest<HTMLElement>('[role=dialog]') as HTMLElement
    await user.click(within(box).getByRole('button', { name: BUTTONS[key] }))
  }
  return { user, dialog, send, say, answer }
}

describe('a broadcast', () => {
  it('goes to everyone only after confirmation, and shows the number of recipients', async () => {
    const told = collectNotices()
    const { user, send, say, answer } = await write()
    server.use(answers(push.webPushBroadcast, { Recipients: 12 }))
    expect(send()).toHaveProperty('disabled', true)
    await say('停電通知', '週六 09:00 停電')
    await user.click(send())
    await answer('cancel', t('push:broadcast.askAll'))
    expect(sentTo(push.webPushBroadcast)).toEqual([])
    await user.click(send())
    await answer('send', t('push:broadcast.askAll'))
    await waitFor(() => expect(told()).toContain(t('push:broadcast.done', { count: 12 })))
    expect(sentTo(push.webPushBroadcast)).toMatchObject([
      { Title: '停電通知', Text: '週六 09:00 停電', Severity: 'info' },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog', { name: t('push:broadcast.open') })).toBeNull())
  })

  it('goes to a home and departments with its severity', async () => {
    const { user, dialog, send, say, answer } = await write()
    server.use(answers(push.webPushBroadcast, { Recipients: 1 }))
    await say('消防演練', '週五')
    await user.click(dialog.getByRole('combobox', { name: field('home') }))
    await user.click(await screen.findByTitle('總部'))
    await user.click(await dialog.findByRole('combobox', { name: field('departments') }))
    await user.click(await screen.findByTitle('廠務'))
    await user.click(dialog.getByRole('radio', { name: t('screens:severities.warning') }))
    await user.click(send())
    await answer('send', t('push:broadcast.askSome'))
    await waitFor(() =>
      expect(sentTo(push.webPushBroadcast)).toMatchObject([
        { HomeID: 'h1', DepartmentIDs: ['d1'], Severity: 'warning' },
      ]),
    )
  })

  it('keeps the written text if the daily limit is reached', async () => {
    const { user, dialog, send, say, answer } = await write()
    server.use(rejectCall(push.webPushBroadcast, 'LIMIT_EXCEEDED'))
    await say('再一則', '內容')
    await user.click(send())
    await answer('send', t('push:broadcast.askAll'))
    expect(await dialog.findByText(t('push:broadcast.tooMany'))).toBeTruthy()
    expect(dialog.getByRole('textbox', { name: field('subject') })).toHaveProperty('value', '再一則')
  })

  it('does not request departments that the person may not see', async () => {
    const { dialog } = await write(subUser([{ FeatureKey: 'company', OperationList: ['Read', 'Update'] }]))
    expect(dialog.queryByRole('combobox', { name: field('departments') })).toBeNull()
    expect(sentTo(department.operations.list)).toEqual([])
  })
})
