export type Language = 'zh-TW' | 'en-US'

/** Checked topics in display order. */
export const TOPICS = [
  'settings',
  'program',
  'disk',
  'ports',
  'address',
  'certificates',
  'database',
  'clock',
  'gateways',
  'bus',
  'files',
  'mail',
] as const
export type Topic = (typeof TOPICS)[number]

const EN = {
  settings: 'Settings',
  program: 'Program',
  disk: 'Disk',
  ports: 'Ports',
  address: 'Address',
  certificates: 'Certificates',
  database: 'Database',
  clock: 'Clock',
  gateways: 'Gateways',
  bus: 'Bus',
  files: 'Pictures',
  mail: 'Mail',
} satisfies Record<Topic, string>

const ZH: Record<Topic, string> = {
  settings: '設定',
  program: '程式',
  disk: '磁碟',
  ports: '連接埠',
  address: '網址',
  certificates: '憑證',
  database: '資料庫',
  clock: '時鐘',
  gateways: '伺服器',
  bus: '匯流排',
  files: '圖片',
  mail: '郵件',
}

const EN_SENTENCES = {
  settingsRead: 'All settings can be read.',
  settingWrong: '{{reason}}',
  secretMissing: 'There is no secret yet; the first start creates one in {{path}}.',
  nodeFits: 'Node.js {{version}}.',
  nodeOld: 'Node.js {{version}} is too old: {{wanted}} is required.',
  diskFree: '{{path}}: {{free}} GB free.',
  diskLow: '{{path}}: only {{free}} GB free. Free up space before the database stops.',
  diskFull: '{{path}}: {{free}} GB free, which is not enough to run.',
  diskClosed: '{{path}} is not writable ({{reason}}).',
  diskUnused: 'Nothing is stored on this machine.',
  portFree: 'Port {{port}} ({{use}}) is free.',
  portRuns: 'Port {{port}} ({{use}}): a gateway responds.',
  portTaken: 'Port {{port}} ({{use}}) is used by another program.',
  portRefused: 'Cannot listen on port {{port}} ({{use}}): {{reason}}.',
  addressSecure: 'People use {{url}}.',
  addressPlain: 'PUBLIC_URL is {{url}}: without https, browsers do not allow signing up a company.',
  addressNone: 'PUBLIC_URL is not set: links in emails work on this machine only.',
  securityContactSet: 'Vulnerabilities are reported to {{contact}} (/.well-known/security.txt).',
  securityContactNone:
    'SECURITY_CONTACT is not set: /.well-known/security.txt is not found. Set a mailto: or https: contact for reports of vulnerabilities.',
  certificateFits: '{{use}}: days left: {{days}}.',
  certificateSoon:
    '{{use}}: expires soon; days left: {{days}}. Renew it; the gateway loads it within a minute.',
  certificateOver: '{{use}}: has expired. Renew it; the gateway loads it within a minute.',
  certificateEarly:
    '{{use}}: is not valid yet. Check the clock of this machine and the start date of the certificate.',
  certificateUnread: '{{use}}: cannot be read ({{reason}}).',
  certificateKey: '{{use}}: certificate and key do not match.',
  certificateName: '{{use}}: is not for {{host}}.',
  certificateNone: 'No certificate is set; a proxy must terminate TLS.',
  databaseAnswers: 'PostgreSQL {{version}} at {{where}} responds in {{ms}} ms.',
  databaseAway: 'The database at {{where}} cannot be used: {{reason}}',
  databaseOld: 'PostgreSQL {{version}} is too old: 15 or newer is required.',
  databaseReadOnly: 'The database at {{where}} is read-only.',
  databaseOff: 'The embedded database in {{path}} is not running, because no gateway is; it was not checked.',
  databaseNew: 'The embedded database is created in {{path}} at the first start.',
  databaseNoProgram: '{{reason}}',
  schemaCurrent: 'The schema is current.',
  schemaNew: 'The database is empty; the first start creates the schema.',
  schemaPending: 'Migrations pending until the next start: {{count}}.',
  schemaWrong: '{{reason}}',
  schemaNoRight: 'User {{user}} may not create tables in schema {{schema}}, so migrations would fail.',
  connectionsEnough: '{{open}} of {{max}} connections are open.',
  connectionsFew:
    'All gateways together ({{gateways}}) may use {{most}} of {{max}} connections. Lower DATABASE_POOL ({{pool}}) or raise max_connections.',
  standbys: 'Standbys that commits wait for: {{count}}.',
  standbyNone: 'Commits do not wait for a standby: a failover would lose acknowledged readings.',
  standbyHidden:
    'This user cannot see whether a standby follows; to allow it: grant pg_read_all_stats to {{user}}.',
  clockRight: 'The clock is {{ms}} ms off that of the database.',
  clockWrong:
    'The clock is {{seconds}} s off that of the database. Synchronize both machines with a time server.',
  gatewaysNone: 'No gateway is running on this database.',
  gatewaysSeen: '{{list}}',
  gatewaysDiffer: 'Versions differ: {{list}}. Replace the others soon.',
  gatewaysSecret: '{{name}} has a different SECRET.',
  gatewaysFiles:
    '{{name}} stores pictures and firmware elsewhere: FILES_DIR must be a directory shared by all gateways, or S3_BUCKET and S3_PREFIX must be the same.',
  gatewaysNoBus: 'Several gateways ({{count}}) use this database, but BUS_URL is not set here.',
  busNone: 'BUS_URL is not set: this is the only gateway.',
  busJoined: 'NATS {{version}}; nodes that can be reached: {{up}} of {{named}}.',
  busAway: 'The bus cannot be used: {{reason}}',
  busDown: 'Only {{up}} of {{named}} nodes in BUS_URL can be reached.',
  busFew: 'BUS_URL names fewer than three nodes ({{named}}); three survive the loss of one.',
  busOpen: 'Anyone who can reach NATS can sign in: set BUS_NKEY or a client certificate.',
  busOld: 'NATS {{version}} is too old: 2.9.10 or newer is required.',
  busSmall: 'NATS accepts messages of {{bytes}} bytes at most: set max_payload to 1MB.',
  filesAnswer: 'The store of bucket {{bucket}} responds.',
  filesAway: 'The store of bucket {{bucket}} could not be read: {{reason}}',
  filesHere: 'Pictures and firmware are stored in {{path}}.',
  mailAnswers: 'The mail server {{host}} accepts emails.',
  mailAway: 'The mail server {{host}} cannot be used: {{reason}}',
  mailNone: 'SMTP_URL is not set: emails are kept on a page whose address is in the log.',
  checkFailed: 'The check itself failed: {{reason}}',
  summary: 'Errors: {{faults}}. Warnings: {{warnings}}.',
}
export type MessageKey = keyof typeof EN_SENTENCES

const ZH_SENTENCES: Record<MessageKey, string> = {
  settingsRead: '所有設定都能讀取。',
  settingWrong: '{{reason}}',
  secretMissing: '還沒有主要密鑰；第一次啟動時會建立在 {{path}}。',
  nodeFits: 'Node.js {{version}}。',
  nodeOld: 'Node.js {{version}} 太舊，需要 {{wanted}}。',
  diskFree: '{{path}}：剩餘 {{free}} GB。',
  diskLow: '{{path}}：只剩 {{free}} GB，請在資料庫停止前清出空間。',
  diskFull: '{{path}}：剩餘 {{free}} GB，空間不足，無法運作。',
  diskClosed: '{{path}} 無法寫入（{{reason}}）。',
  diskUnused: '這台機器上不存放任何資料。',
  portFree: '連接埠 {{port}}（{{use}}）可以使用。',
  portRuns: '連接埠 {{port}}（{{use}}）：伺服器正在回應。',
  portTaken: '連接埠 {{port}}（{{use}}）已被其他程式占用。',
  portRefused: '連接埠 {{port}}（{{use}}）無法接聽（{{reason}}）。',
  addressSecure: '使用者的網址是 {{url}}。',
  addressPlain: 'PUBLIC_URL 是 {{url}}：沒有 https，瀏覽器無法註冊公司。',
  addressNone: '沒有設定 PUBLIC_URL：郵件裡的連結只能在這台機器上開啟。',
  securityContactSet: '資安漏洞的通報窗口是 {{contact}}（/.well-known/security.txt）。',
  securityContactNone:
    '沒有設定 SECURITY_CONTACT：找不到 /.well-known/security.txt。請設定 mailto: 或 https: 的漏洞通報窗口。',
  certificateFits: '{{use}}：還有 {{days}} 天到期。',
  certificateSoon: '{{use}}：{{days}} 天後到期。請更新憑證，再重新啟動伺服器。',
  certificateOver: '{{use}}：已經到期。請更新憑證，伺服器會在 1 分鐘內改用新憑證。',
  certificateEarly: '{{use}}：尚未生效。請檢查本機時鐘，或憑證的生效時間。',
  certificateUnread: '{{use}}：無法讀取（{{reason}}）。',
  certificateKey: '{{use}}：憑證與私鑰不相符。',
  certificateName: '{{use}}：憑證不適用於 {{host}}。',
  certificateNone: '沒有設定憑證；TLS 必須由代理伺服器處理。',
  databaseAnswers: '{{where}} 的 PostgreSQL {{version}} 在 {{ms}} 毫秒內回應。',
  databaseAway: '無法使用 {{where}} 的資料庫：{{reason}}',
  databaseOld: 'PostgreSQL {{version}} 太舊，需要 15 或更新的版本。',
  databaseReadOnly: '{{where}} 的資料庫無法寫入。',
  databaseOff: '{{path}} 的內建資料庫沒有執行，因為伺服器沒有執行；因此未檢查內容。',
  databaseNew: '第一次啟動時會在 {{path}} 建立內建資料庫。',
  databaseNoProgram: '{{reason}}',
  schemaCurrent: '資料表結構是最新的。',
  schemaNew: '資料庫是空的；第一次啟動時會建立資料表。',
  schemaPending: '有 {{count}} 項資料庫更新，下次啟動時會執行。',
  schemaWrong: '{{reason}}',
  schemaNoRight: '使用者 {{user}} 不能在 schema {{schema}} 建立資料表，資料庫更新會失敗。',
  connectionsEnough: '{{max}} 個連線中已使用 {{open}} 個。',
  connectionsFew:
    '{{gateways}} 台伺服器最多會使用 {{max}} 個連線中的 {{most}} 個。請調低 DATABASE_POOL（{{pool}}）或調高 max_connections。',
  standbys: '每次寫入會等待 {{count}} 台備援資料庫。',
  standbyNone: '寫入時不等待備援資料庫：切換時會遺失已確認的讀數。',
  standbyHidden: '這個使用者看不到備援資料庫的狀態；執行 grant pg_read_all_stats to {{user}} 即可看到。',
  clockRight: '時鐘與資料庫相差 {{ms}} 毫秒。',
  clockWrong: '時鐘與資料庫相差 {{seconds}} 秒。請讓兩台機器都與時間伺服器同步。',
  gatewaysNone: '目前沒有伺服器使用這個資料庫。',
  gatewaysSeen: '{{list}}',
  gatewaysDiffer: '版本不一致：{{list}}。請儘快更新其他伺服器。',
  gatewaysSecret: '{{name}} 的 SECRET 與這裡不同。',
  gatewaysFiles:
    '{{name}} 的圖片與韌體存放在別處：FILES_DIR 必須是所有伺服器共用的目錄，或 S3_BUCKET 與 S3_PREFIX 必須相同。',
  gatewaysNoBus: '有 {{count}} 台伺服器使用這個資料庫，但這裡沒有設定 BUS_URL。',
  busNone: '沒有設定 BUS_URL：只有這一台伺服器。',
  busJoined: 'NATS {{version}}；{{named}} 個節點中可連線 {{up}} 個。',
  busAway: '無法使用匯流排：{{reason}}',
  busDown: '{{named}} 個節點中只能連線 {{up}} 個。',
  busFew: 'BUS_URL 只設定了 {{named}} 個節點；要有三個才能承受一個故障。',
  busOpen: '任何能連到 NATS 的人都能登入：請設定 BUS_NKEY 或用戶端憑證。',
  busOld: 'NATS {{version}} 太舊，需要 2.9.10 或更新的版本。',
  busSmall: 'NATS 的訊息上限只有 {{bytes}} 位元組：請將 max_payload 設為 1MB。',
  filesAnswer: '儲存空間 {{bucket}} 正常回應。',
  filesAway: '無法讀取儲存空間 {{bucket}}：{{reason}}',
  filesHere: '圖片與韌體存放在 {{path}}。',
  mailAnswers: '郵件伺服器 {{host}} 可以寄信。',
  mailAway: '無法使用郵件伺服器 {{host}}：{{reason}}',
  mailNone: '沒有設定 SMTP_URL：郵件會留在紀錄所列的網頁上。',
  checkFailed: '檢查本身失敗：{{reason}}',
  summary: '{{faults}} 個錯誤，{{warnings}} 個警告。',
}

const WORDS = {
  'zh-TW': { topics: ZH, sentences: ZH_SENTENCES },
  'en-US': { topics: EN, sentences: EN_SENTENCES },
}

type Values = Readonly<Record<string, string | number>>

/** Translates a sentence and fills in values. */
export const formatMessage = (language: Language, messageKey: MessageKey, values: Values = {}): string =>
  WORDS[language].sentences[messageKey].replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(values[name] ?? ''),
  )

export const formatTopic = (language: Language, topic: Topic): string => WORDS[language].topics[topic]

/** Language of a terminal: Chinese if its locale variables say so. */
export function languageOf(environment: Readonly<Record<string, string | undefined>>): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh-TW' : 'en-US'
}

/** Severity of a finding: a fault prevents the gateway from working, now or at its next start. */
export type CheckSeverity = 'ok' | 'warning' | 'fault'

/** Result of one check of an installation. */
export interface Finding {
  topic: Topic
  severity: CheckSeverity
  messageKey: MessageKey
  values: Values
}

export const passed = (topic: Topic, messageKey: MessageKey, values: Values = {}): Finding => ({
  topic,
  severity: 'ok',
  messageKey,
  values,
})
export const warning = (topic: Topic, messageKey: MessageKey, values: Values = {}): Finding => ({
  topic,
  severity: 'warning',
  messageKey,
  values,
})
export const failed = (topic: Topic, messageKey: MessageKey, values: Values = {}): Finding => ({
  topic,
  severity: 'fault',
  messageKey,
  values,
})

/** First line of an error's message; for an AggregateError, of its first error. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (code === 'UNAVAILABLE' && cause instanceof Error) return reasonOf(cause)
  return (message || code || String(error)).split('\n', 1)[0] ?? ''
}
