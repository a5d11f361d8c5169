/** Names and descriptions of the demo servers in the languages of their players, and names of people. */
import type { Random } from '../simulate/profiles.ts'

type Mode = 'Roleplay' | 'Freeroam' | 'Racing' | 'Deathmatch' | 'Survival' | 'Cops and Robbers'

interface Words {
  /** Every first word fits every second word. `+` joins them without a space. */
  readonly places: readonly [first: string, second: string]
  /** How a name ends, by mode. */
  readonly modes: Readonly<Record<Mode, string>>
  /** `{name}` and `{mode}` are replaced. */
  readonly about: readonly string[]
}

const ENGLISH: Words = {
  places: ['Sunset Harbour Liberty Golden Northern Emerald Silver Redwood Maple Granite', 'Bay|Heights|Valley|County|Shores'],
  modes: {
    Roleplay: 'RP',
    Freeroam: 'Free Roam',
    Racing: 'Racing Club',
    Deathmatch: 'Arena',
    Survival: 'Outbreak',
    'Cops and Robbers': 'Heat',
  },
  about: [
    'Serious {mode} with an active team since 2019.\nNew players get a guide on their first evening, and events run every Friday.',
    '{name}: a small community that plays {mode} after work. No pay to win, and staff that answers within minutes.',
    'Custom vehicles, player-owned businesses and a map that keeps growing. {mode} for patient people.',
  ],
}

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  all: { ...ENGLISH, places: ['Global Open Borderless United', 'City|Streets|World'] },
  de: {
    places: ['Nord Falken Linden Kiefern Stein Birken Alt Elb', '+hafen|+berg|+tal|+stadt|+ufer'],
    modes: {
      Roleplay: 'Roleplay',
      Freeroam: 'Freie Fahrt',
      Racing: 'Rennliga',
      Deathmatch: 'Arena',
      Survival: 'Ödland',
      'Cops and Robbers': 'Streife',
    },
    about: [
      '{name} ist ein Projekt mit festem Team und fairen Regeln.\nNeue Spieler sind jeden Abend willkommen.',
      'Wir spielen {mode} mit eigener Wirtschaft, Fraktionen und regelmäßigen Events am Wochenende.',
    ],
  },
  ru: {
    places: ['Северный Старый Золотой Ночной Южный Новый', 'Берег|Город|Порт|Причал|Квартал'],
    modes: {
      Roleplay: 'РП',
      Freeroam: 'Свободная Езда',
      Racing: 'Гонки',
      Deathmatch: 'Арена',
      Survival: 'Выживание',
      'Cops and Robbers': 'Погоня',
    },
    about: [
      '{name}: дружная команда, понятные правила и события каждые выходные.',
      'Играем вечерами по московскому времени. Новичкам помогаем.',
    ],
  },
  fr: {
    places: ['Port Val Mont Fort', 'Royal|d’Azur|Saint-Louis|du Nord|Clair'],
    modes: {
      Roleplay: 'RP',
      Freeroam: 'Balade Libre',
      Racing: 'Circuit',
      Deathmatch: 'Arène',
      Survival: 'Survie',
      'Cops and Robbers': 'Patrouille',
    },
    about: ['{name} accueille les débutants comme les habitués.\nÉvénements chaque samedi soir, équipe présente tous les jours.'],
  },
  pl: {
    places: ['Nowy Stary Złoty Górny', 'Port|Brzeg|Gród|Zamek'],
    modes: {
      Roleplay: 'RP',
      Freeroam: 'Swobodna Jazda',
      Racing: 'Wyścigi',
      Deathmatch: 'Arena',
      Survival: 'Przetrwanie',
      'Cops and Robbers': 'Pościg',
    },
    about: ['{name}: polski serwer z aktywną administracją i własną gospodarką. Zapraszamy nowych graczy!'],
  },
  tr: {
    places: ['Mavi Altın Kuzey Gece', 'Liman|Sahil|Vadi|Kale'],
    modes: {
      Roleplay: 'RP',
      Freeroam: 'Serbest Sürüş',
      Racing: 'Yarış',
      Deathmatch: 'Arena',
      Survival: 'Hayatta Kalma',
      'Cops and Robbers': 'Takip',
    },
    about: ['{name} her akşam dolu. Yeni oyunculara yardım ediyoruz, hafta sonları etkinlik var.'],
  },
  es: {
    places: ['Puerto Valle Costa Villa', 'Real|Azul|Norte|del Sol'],
    modes: {
      Roleplay: 'RP',
      Freeroam: 'Ruta Libre',
      Racing: 'Carreras',
      Deathmatch: 'Arena',
      Survival: 'Supervivencia',
      'Cops and Robbers': 'Persecución',
    },
    about: ['{name}: comunidad en español con economía propia y eventos cada fin de semana.\nSin pagos para ganar.'],
  },
  pt: {
    places: ['Porto Vale Costa Serra', 'Real|Verde|do Sul|da Lua'],
    modes: {
      Roleplay: 'RP',
      Freeroam: 'Passeio Livre',
      Racing: 'Corridas',
      Deathmatch: 'Arena',
      Survival: 'Sobrevivência',
      'Cops and Robbers': 'Perseguição',
    },
    about: ['{name}: servidor brasileiro com equipe ativa, empregos e eventos toda semana. Novatos são bem-vindos!'],
  },
  zh: {
    places: ['星光 海港 龙城 金沙', '+之夜|+湾|+大道'],
    modes: {
      Roleplay: '角色扮演',
      Freeroam: '自由驾驶',
      Racing: '赛车',
      Deathmatch: '竞技场',
      Survival: '生存',
      'Cops and Robbers': '追捕',
    },
    about: ['{name}欢迎新玩家。每晚都有活动，管理员常驻在线。'],
  },
}

/** Names servers so that no two are equal. */
export class NameGiver {
  readonly #used = new Set<string>()

  next(random: Random, language: string, mode: string): { readonly name: string; readonly place: string; readonly description: string } {
    const words = WORDS[language] ?? ENGLISH
    const [first, second] = words.places
    const modeName = words.modes[mode as Mode]
    for (let tries = 0; ; tries += 1) {
      const place = `${random.pick(first.split(' '))} ${random.pick(second.split('|'))}`.replace(' +', '')
      // Places of a language run out before its servers do.
      const name = tries < 50 ? `${place} ${modeName}` : `${place} ${modeName} ${tries - 48}`
      if (this.#used.has(name)) continue
      this.#used.add(name)
      return { name, place, description: random.pick(words.about).replaceAll('{name}', place).replaceAll('{mode}', modeName) }
    }
  }
}

export const USERNAMES =
  'alice bob carol mira_k jonas.w northpaw tobi_dev lena_x kestrel old_salt piotr.z yusuf_e anais marco.v sable_fox ivan_petrov dasha.s wren hugo_b ' +
  'lucia.m thiago_r beatriz finn_l oskar89 greta.h midnightdan rusty_gears quietstorm elif.t baran_y zofia.k adam_n camille_d theo.r rafael.s ines_p ' +
  'xiaoming lingling koji_a harbourmaster tess_q nadia.o viktor_b emil.j sofie_n pax_romana drift_king lowrider77 copper_kettle juniper.b'
