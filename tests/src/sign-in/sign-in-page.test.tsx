import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { company } from '../../../contract/people/company-calls.ts'
import { invitations } from '../../../contract/people/invitation-calls.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { webConfig } from '../../../src/data/config.ts'
import { authState, signInReason } from '../../../src/data/auth-state.ts'
import { changeLanguage } from '../../../src/lib/i18n/i18n.ts'
import { encryptPassword } from '../../../src/sign-in/encrypt-password.ts'
import { SignInPage } from '../../../src/sign-in/sign-in-page.tsx'
import { isPublicView, readViewFromUrl, view } from '../../../src/sign-in/views.ts'
import { answers, CLIENT_ID, requests, owner, rejectCall, server, token } from '../../support/msw.ts'

const pool: { target: string; body: Record<string, unknown> }[] = []
let poolAnswer: () => Response

const poolError = (type: string) => HttpResponse.json({ __type: type, message: type }, { status: 400 })
const tokensOfPool = () => ({
  AuthenticationResult: {
    IdToken: token({ sub: owner.CognitoId, 'cognito:username': owner.CognitoId }),
    AccessToken: token({ sub: owner.CognitoId, username: owner.CognitoId, client_id: CLIENT_ID }),
    RefreshToken: 'refresh',
    ExpiresIn: 3600,
    TokenType: 'Bearer',
  },
  ChallengeParameters: {},
})

beforeEach(() => {
  requests.length = 0
  pool.length = 0
  authState.set('signIn')
  signInReason.set(undefined)
  history.replaceState(null, '', '/')
  poolAnswer = () => HttpResponse.json(tokensOfPool())
  server.use(
    answers(company.getCompanyPublicProfile, { LogoName: '示範大樓', LogoUrl: null }),
    http.post('*/cognito', async ({ request }) => {
      const target = request.headers.get('x-amz-target')?.split('.')[1] ?? ''
      pool.push({ target, body: (await request.json()) as Record<string, unknown> })
      return poolAnswer()
    }),
  )
})
afterEach(() => changeLanguage('zh-TW'))

/** jsdom's TextEncoder creates arrays of another realm, which jose does not accept. */
function takeTextEncoderOfNode(): void {
  const { TextEncoder } = globalThis
  onTestFinished(() => void vi.stubGlobal('TextEncoder', TextEncoder))
  vi.stubGlobal(
    'TextEncoder',
    class {
      encode = (text: string) => Uint8Array.from(Buffer.from(text))
    },
  )
}

/** Closes sign-up for this test: only invited people may create a company. */
async function closeSignUp(): Promise<void> {
  const config = await webConfig()
  const { SignUp } = config
  config.SignUp = 'invitation'
  onTestFinished(() => void Object.assign(config, { SignUp }))
}

/** Makes the gateway a demo for this test. */
async function openDemo(): Promise<void> {
  const config = await webConfig()
  config.Demo = {
    ClockAheadMs: 0,
    SignIn: { Emails: ['owner@demo.example', 'viewer@demo.example'], Password: 'demo1234' },
  }
  onTestFinished(() => void delete config.Demo)
}

const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text)

describe('the accounts of a demo', () => {
  it('sign in with one click', async () => {
    await openDemo()
    render(<SignInPage />)
    await userEvent.click(await screen.findByRole('button', { name: /檢視者/ }))
    await waitFor(() => expect(authState.get()).toBe('app'))
    expect(pool[0]).toMatchObject({
      target: 'InitiateAuth',
      body: { AuthParameters: { USERNAME: 'viewer@demo.example', PASSWORD: 'demo1234' } },
    })
  })

  it('are named in the language of the page, and can be tried again after a failure', async () => {
    await openDemo()
    await changeLanguage('en-US')
    poolAnswer = () => poolError('NotAuthorizedException')
    render(<SignInPage />)
    const owner = await screen.findByRole('button', { name: /Owner/ })
    await userEvent.click(owner)
    await screen.findByRole('alert')
    expect((owner as HTMLButtonElement).disabled).toBe(false)
    expect(authState.get()).toBe('signIn')
  })

  it('are not shown by any other gateway', async () => {
    render(<SignInPage />)
    await screen.findByLabelText('密碼')
    await webConfig()
    expect(screen.queryByText(/示範帳號/)).toBeNull()
  })
})

describe('sign-in', () => {
  it('opens the app with address and password, on Enter', async () => {
    render(<SignInPage />)
    await type('電子郵件', 'owner@company.example')
    await type('密碼', 'demo1234{Enter}')
    await waitFor(() => expect(authState.get()).toBe('app'))
    expect(pool[0]).toMatchObject({
      target: 'InitiateAuth',
      body: {
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: 'owner@company.example', PASSWORD: 'demo1234' },
      },
    })
  })

  it('requires all fields before sending', async () => {
    render(<SignInPage />)
    await userEvent.click(screen.getByRole('button', { name: '登入' }))
    expect(screen.getAllByText('請填寫此欄位')).toHaveLength(2)
    expect(document.activeElement).toBe(screen.getByLabelText('電子郵件'))
    await type('電子郵件', 'nonsense')
    expect(screen.getByText('請輸入有效的電子郵件')).toBeTruthy()
    expect(pool).toEqual([])
  })

  it.each([
    ['NotAuthorizedException', '電子郵件或密碼不正確'],
    ['UserNotFoundException', '電子郵件或密碼不正確'],
    ['TooManyRequestsException', '嘗試次數過多，請稍後再試'],
  ])("shows %s in the person's words and stays ready", async (name, text) => {
    poolAnswer = () => poolError(name)
    render(<SignInPage />)
    await type('電子郵件', 'owner@company.example')
    await type('密碼', 'wrong{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    expect(screen.getByRole('button', { name: '登入' })).toHaveProperty('disabled', false)
    expect(authState.get()).toBe('signIn')
  })

  it('lets a sub-user choose a password at the first sign-in', async () => {
    const answers = [
      HttpResponse.json({
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: 's1',
        ChallengeParameters: { USER_ID_FOR_SRP: owner.CognitoId },
      }),
      HttpResponse.json(tokensOfPool()),
    ]
    poolAnswer = () => answers.shift() as Response
    render(<SignInPage />)
    await type('電子郵件', 'operator@company.example')
    await type('密碼', 'welcome1{Enter}')
    await screen.findByRole('heading', { name: '設定新密碼' })
    await type('新密碼', 'mine2345')
    await type('確認密碼', 'mine2345{Enter}')
    await waitFor(() => expect(authState.get()).toBe('app'))
    expect(pool[1]).toMatchObject({
      target: 'RespondToAuthChallenge',
      body: { ChallengeResponses: { NEW_PASSWORD: 'mine2345' } },
    })
  })

  it('asks for another first password if the pool rejects it', async () => {
    const answers = [
      HttpResponse.json({
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: 's1',
        ChallengeParameters: { USER_ID_FOR_SRP: owner.CognitoId },
      }),
      poolError('InvalidPasswordException'),
    ]
    poolAnswer = () => answers.shift() as Response
    render(<SignInPage />)
    await type('電子郵件', 'operator@company.example')
    await type('密碼', 'initial1{Enter}')
    await screen.findByRole('heading', { name: '設定新密碼' })
    await type('新密碼', 'passw0rd1')
    await type('確認密碼', 'passw0rd1{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe(
      '此密碼過於常見，或與初始密碼相同，請改用其他密碼',
    )
  })

  it('says why the user was signed out', () => {
    signInReason.set('permissionsChanged')
    render(<SignInPage />)
    expect(screen.getByRole('status').textContent).toBe('您的權限已變更，請重新登入')
  })

  it("shows the company's title", async () => {
    render(<SignInPage />)
    expect(await screen.findByText('示範大樓')).toBeTruthy()
  })

  it('shows and hides the password, and says that Caps Lock is on', async () => {
    render(<SignInPage />)
    const field = screen.getByLabelText('密碼')
    expect(field.getAttribute('type')).toBe('password')
    await userEvent.click(screen.getByRole('button', { name: '顯示密碼' }))
    expect(field.getAttribute('type')).toBe('text')
    fireEvent.keyDown(field, { key: 'A', modifierCapsLock: true })
    expect(screen.getByText('大寫鎖定已開啟')).toBeTruthy()
  })

  it('supports password managers', () => {
    render(<SignInPage />)
    expect(screen.getByLabelText('電子郵件').getAttribute('autocomplete')).toBe('username')
    expect(screen.getByLabelText('密碼').getAttribute('autocomplete')).toBe('current-password')
  })

  it('changes the language without losing input', async () => {
    render(<SignInPage />)
    await type('電子郵件', 'half@')
    await userEvent.click(screen.getByRole('button', { name: 'English' }))
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', 'half@')
  })

  it.each(['/', '/signUp', '/forgetPassWord', '/resetPassWord'])(
    'has no serious accessibility violation at %s',
    async (path) => {
      history.replaceState(null, '', path)
      const { container } = render(<SignInPage />)
      const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
      expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
    },
  )
})

describe('sign-up', () => {
  beforeEach(() => history.replaceState(null, '', '/signUp'))

  it('says that companies are invited if sign-up is closed, and shows no form', async () => {
    await closeSignUp()
    const { unmount } = render(<SignInPage />)
    expect(await screen.findByText(/新公司須經邀請才能在此註冊/)).toBeTruthy()
    expect(screen.queryByLabelText('電子郵件')).toBeNull()
    unmount()
    history.replaceState(null, '', '/')
    render(<SignInPage />)
    expect(screen.queryByRole('button', { name: '註冊公司帳號' })).toBeNull()
  })

  it('accepts an invitation link if sign-up is closed, and then the emailed code', async () => {
    await closeSignUp()
    takeTextEncoderOfNode()
    const { publicKey } = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256' })
    Object.assign((await webConfig()).SignUpKey, { ...(await exportJWK(publicKey)), alg: 'ECDH-ES+A256KW' })
    server.use(answers(session.signUp, { Session: 'the session' }), answers(session.confirmSignUp, {}))
    history.replaceState(null, '', '/signUp#email=guest%40company.example&invitation=secret')
    render(<SignInPage />)
    expect(screen.getByLabelText<HTMLInputElement>('電子郵件').value).toBe('guest@company.example')
    await type('公司名稱', '示範精密')
    await type('姓', '王')
    await type('名', '一')
    await type('密碼', 'demo1234')
    await type('確認密碼', 'demo1234{Enter}')
    await userEvent.type(await screen.findByLabelText('驗證碼'), '123456{Enter}')
    expect(await screen.findByText('註冊完成，請登入。')).toBeTruthy()
    expect(requests.find(({ path }) => path === '/UserSignUp')?.body).toMatchObject({
      Email: 'guest@company.example',
      CompanyName: '示範精密',
      Invitation: 'secret',
      Language: 'zh-TW',
    })
    expect(requests.find(({ path }) => path === '/ConfirmSignUp')?.body).toEqual({
      Session: 'the session',
      ConfirmationCode: '123456',
      Language: 'zh-TW',
    })
  })

  it("shows the gateway's reason for a rejection, in the language of the page", async () => {
    takeTextEncoderOfNode()
    const { publicKey } = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256' })
    Object.assign((await webConfig()).SignUpKey, { ...(await exportJWK(publicKey)), alg: 'ECDH-ES+A256KW' })
    server.use(rejectCall(session.signUp, 'CONFLICT', { error: '這個地址已被停用' }))
    render(<SignInPage />)
    await type('公司名稱', '示範精密')
    await type('姓', '王')
    await type('名', '一')
    await type('電子郵件', 'owner@company.example')
    await type('密碼', 'demo1234')
    await type('確認密碼', 'demo1234{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('這個地址已被停用')
  })

  it('checks off each password rule as it is met', async () => {
    render(<SignInPage />)
    const met = () => screen.getAllByRole('listitem').map((item) => item.dataset['met'] === 'true')
    expect(met()).toEqual([false, false, false])
    await type('密碼', '123')
    expect(met()).toEqual([false, true, false])
    await type('密碼', 'abc')
    expect(met()).toEqual([true, true, true])
  })

  it('requires equal passwords and all rules', async () => {
    render(<SignInPage />)
    await type('密碼', 'ABC123')
    await type('確認密碼', 'other')
    await userEvent.click(screen.getByRole('button', { name: '註冊' }))
    expect(screen.getByText('密碼格式錯誤')).toBeTruthy()
    expect(screen.getByText('兩次輸入的密碼不一致')).toBeTruthy()
    expect(requests.filter(({ path }) => path === '/UserSignUp')).toEqual([])
  })

  it('says that it needs a secure page if the browser has no encryption, and sends nothing', async () => {
    const { crypto } = globalThis
    onTestFinished(() => void vi.stubGlobal('crypto', crypto))
    vi.stubGlobal('crypto', {
      getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
    })
    render(<SignInPage />)
    await type('公司名稱', '示範精密')
    await type('姓', '王')
    await type('名', '一')
    await type('電子郵件', 'owner@company.example')
    await type('密碼', 'demo1234')
    await type('確認密碼', 'demo1234{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('註冊需要安全連線')
    expect(requests.filter(({ path }) => path === '/UserSignUp')).toEqual([])
  })

  it.each([
    ['ECDH-ES+A256KW', { crv: 'P-256' }],
    ['RSA-OAEP-256', {}],
  ])('encrypts the password for the gateway only (%s)', async (alg, options) => {
    takeTextEncoderOfNode()
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, ...options })
    const jwe = await encryptPassword('demo1234', { ...(await exportJWK(publicKey)), alg, kid: 'k1' })
    expect(jwe).not.toContain('demo1234')
    const { plaintext, protectedHeader } = await compactDecrypt(jwe, privateKey)
    expect(new TextDecoder().decode(plaintext)).toBe('demo1234')
    expect(protectedHeader).toMatchObject({ alg, kid: 'k1', enc: 'A256GCM' })
  })
})

describe('a forgotten password', () => {
  it('asks for a code, then sets the new password with it', async () => {
    server.use(answers(session.forgotPassword, {}), answers(session.confirmForgotPassword, {}))
    history.replaceState(null, '', '/forgetPassWord')
    render(<SignInPage />)
    await type('電子郵件', 'owner@company.example{Enter}')
    await screen.findByRole('heading', { name: '重設密碼' })
    expect(location.pathname).toBe('/resetPassWord')
    await type('驗證碼', '123456')
    await type('新密碼', 'fresh123')
    await type('確認密碼', 'fresh123{Enter}')
    expect(await screen.findByText('密碼已重設，請用新密碼登入。')).toBeTruthy()
    const calls = requests.filter(({ path }) => /Forgot/.test(path))
    expect(calls.map(({ body }) => body)).toEqual([
      { Email: 'owner@company.example', Language: 'zh-TW' },
      {
        Email: 'owner@company.example',
        ConfirmationCode: '123456',
        NewPassword: 'fresh123',
        Language: 'zh-TW',
      },
    ])
    expect(calls[0]?.headers.get('x-api-key')).toBe('the-api-key')
  })

  it('takes address and secret from the emailed link, and asks only for the new password', async () => {
    server.use(answers(session.confirmForgotPassword, {}))
    const secret = 'a'.repeat(43)
    history.replaceState(null, '', `/resetPassWord#email=owner%40company.example&code=${secret}`)
    render(<SignInPage />)
    expect(screen.getByText('為 owner@company.example 設定新密碼。')).toBeTruthy()
    expect(screen.queryByLabelText('驗證碼')).toBeNull()
    await type('新密碼', 'fresh123')
    await type('確認密碼', 'fresh123{Enter}')
    expect(await screen.findByText('密碼已重設，請用新密碼登入。')).toBeTruthy()
    expect(requests.at(-1)?.body).toEqual({
      Email: 'owner@company.example',
      Language: 'zh-TW',
      ConfirmationCode: secret,
      NewPassword: 'fresh123',
    })
    expect(location.hash).toBe('')
  })

  it.each([
    [true, '信件已寄出'],
    [undefined, '寄件匣頁面'],
  ])('says where the link is (mail server: %s)', async (MailGoesOut, place) => {
    const config = await webConfig()
    Object.assign(config, { MailGoesOut })
    onTestFinished(() => void delete config.MailGoesOut)
    server.use(answers(session.forgotPassword, {}))
    history.replaceState(null, '', '/forgetPassWord')
    render(<SignInPage />)
    await type('電子郵件', 'owner@company.example{Enter}')
    expect((await screen.findByRole('status')).textContent).toContain(place)
  })

  it('links a signed-in person back to the dashboard, not to the sign-in', () => {
    authState.set('app')
    history.replaceState(null, '', '/forgetPassWord')
    render(<SignInPage />)
    expect(screen.queryByRole('button', { name: '返回登入' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '返回儀表板' }))
    expect(location.pathname).toBe('/')
    expect(isPublicView(view.get())).toBe(false)
  })

  it('signs out a person who resets the password while signed in, and confirms the reset', async () => {
    server.use(answers(session.confirmForgotPassword, {}))
    authState.set('app')
    history.replaceState(null, '', `/resetPassWord#email=owner%40company.example&code=${'a'.repeat(43)}`)
    render(<SignInPage />)
    await type('新密碼', 'fresh123')
    await type('確認密碼', 'fresh123{Enter}')
    expect(await screen.findByText('密碼已重設，請用新密碼登入。')).toBeTruthy()
    expect(authState.get()).toBe('signIn')
  })

  it('says after too many requests that an email may have arrived already', async () => {
    server.use(rejectCall(session.forgotPassword, 'LIMIT_EXCEEDED'))
    history.replaceState(null, '', '/forgetPassWord')
    render(<SignInPage />)
    await type('電子郵件', 'owner@company.example{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('先前寄出的信件可能已送達')
  })

  it('says that the code is wrong', async () => {
    server.use(
      rejectCall(session.confirmForgotPassword, 'INVALID', {
        error: '驗證碼不正確或已失效',
        fields: { ConfirmationCode: 'code' },
      }),
    )
    history.replaceState(null, '', '/resetPassWord')
    render(<SignInPage />)
    await type('電子郵件', 'owner@company.example')
    await type('驗證碼', '000000')
    await type('新密碼', 'fresh123')
    await type('確認密碼', 'fresh123{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('驗證碼不正確或已失效')
  })
})

describe('an invitation', () => {
  const invited = {
    CompanyName: '示範公司',
    InvitedBy: '王大明',
    MaskedEmail: 'm•••@company.example',
    FirstName: '',
    LastName: '林',
    Language: 'zh-TW',
  } as const
  const open = () => {
    history.replaceState(null, '', '/invitation#the-secret')
    render(<SignInPage />)
  }

  it('names the inviter, takes name and password, and signs in', async () => {
    takeTextEncoderOfNode()
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256' })
    Object.assign((await webConfig()).SignUpKey, { ...(await exportJWK(publicKey)), alg: 'ECDH-ES+A256KW' })
    server.use(
      answers(invitations.readInvitation, invited),
      answers(invitations.acceptInvitation, { Email: 'mei@company.example' }),
    )
    open()
    expect(await screen.findByText(/王大明.*邀請.*m•••@company.example.*示範公司/)).toBeTruthy()
    await type('名', '小美')
    await type('密碼', 'demo1234')
    await type('確認密碼', 'demo1234{Enter}')
    await waitFor(() => expect(authState.get()).toBe('app'))
    const accepted = requests.find(({ path }) => path === '/AcceptInvitation')?.body as Record<string, string>
    expect(accepted).toMatchObject({ Token: 'the-secret', FirstName: '小美', LastName: '林' })
    const { plaintext } = await compactDecrypt(accepted['Password'] ?? '', privateKey)
    expect(new TextDecoder().decode(plaintext)).toBe('demo1234')
    expect(pool[0]?.body).toMatchObject({
      AuthParameters: { USERNAME: 'mei@company.example', PASSWORD: 'demo1234' },
    })
    expect(location.pathname + location.hash).toBe('/')
    // Otherwise the invitation page would be shown instead of the application.
    expect(isPublicView(view.get())).toBe(false)
  })

  it('says that it cannot be used, and links to the sign-in', async () => {
    server.use(rejectCall(invitations.readInvitation, 'NOT_FOUND'))
    open()
    expect((await screen.findByRole('alert')).textContent).toContain('無效、已使用或已過期')
    expect(screen.queryByRole('button', { name: '再試一次' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '返回登入' }))
    expect(screen.getByRole('button', { name: '登入' })).toBeTruthy()
  })

  it('is loaded again after the gateway was unavailable', async () => {
    server.use(rejectCall(invitations.readInvitation, 'UNAVAILABLE'))
    open()
    const again = await screen.findByRole('button', { name: '再試一次' })
    server.use(answers(invitations.readInvitation, invited))
    await userEvent.click(again)
    expect(await screen.findByLabelText('姓')).toHaveProperty('value', '林')
  })
})

describe('a sign-in address opened while signed in', () => {
  const opened = (address: string) => {
    history.replaceState(null, '', address)
    authState.set('app')
    readViewFromUrl()
    return { path: location.pathname, isShown: isPublicView(view.get()) }
  }

  it('redirects to the first page if it is only for signed-out users', () => {
    expect(opened('/signUp')).toEqual({ path: '/', isShown: false })
  })

  it.each([
    '/signUp#email=guest%40company.example&invitation=secret',
    '/resetPassWord#email=mei%40company.example&code=123456',
    '/invitation#the-secret',
  ])('stays open for the link of an email: %s', (address) => {
    expect(opened(address).isShown).toBe(true)
  })
})
