/** Names and descriptions of the demo servers in the languages of their players, and names of people. */
import type { Random } from '#backend/cli/simulate/profiles.ts'

/** Each first word fits each second word, and `+` joins them. Then the ends of names, in the order of `MODES`, and descriptions. */
type Words = readonly [firstWords: string, secondWords: string, modes: string, descriptions: string]

const MODES = ['Roleplay', 'Freeroam', 'Racing', 'Deathmatch', 'Survival', 'Cops and Robbers']
const ENGLISH: Words = [
  'Sunset|Harbour|Liberty|Golden|Northern|Emerald|Silver|Redwood|Maple|Granite',
  'Bay|Heights|Valley|County|Shores',
  'RP|Free Roam|Racing Club|Arena|Outbreak|Heat',
  'Serious {mode} with an active team since 2019.\nNew players get a guide on their first evening.|{name}: a small community that plays after work. No pay to win, and staff that answers within minutes.|Custom vehicles, player-owned businesses and a map that keeps growing. {mode} for patient people.',
]

const WORDS: Readonly<Record<string, Words>> = {
  all: ['Global|Open|Borderless|United', 'City|Streets|World', ENGLISH[2], ENGLISH[3]],
  de: [
    'Nord|Falken|Linden|Kiefern|Stein|Birken|Alt|Elb',
    '+hafen|+berg|+tal|+stadt|+ufer',
    'Roleplay|Freie Fahrt|Rennliga|Arena|Ödland|Streife',
    '{name} ist ein Projekt mit festem Team und fairen Regeln.\nNeue Spieler sind jeden Abend willkommen.|{mode} mit eigener Wirtschaft, Fraktionen und Events am Wochenende.',
  ],
  ru: [
    'Северный|Старый|Золотой|Ночной|Южный|Новый',
    'Берег|Город|Порт|Причал|Квартал',
    'РП|Свободная Езда|Гонки|Арена|Выживание|Погоня',
    '{name}: дружная команда, понятные правила и события каждые выходные.|Играем вечерами по московскому времени. Новичкам помогаем.',
  ],
  fr: [
    'Port|Val|Mont|Fort',
    'Royal|d’Azur|Saint-Louis|du Nord|Clair',
    'RP|Balade Libre|Circuit|Arène|Survie|Patrouille',
    '{name} accueille les débutants comme les habitués.\nÉvénements chaque samedi soir.',
  ],
  pl: [
    'Nowy|Stary|Złoty|Górny',
    'Port|Brzeg|Gród|Zamek',
    'RP|Swobodna Jazda|Wyścigi|Arena|Przetrwanie|Pościg',
    '{name}: polski serwer z aktywną administracją i własną gospodarką.',
  ],
  tr: [
    'Mavi|Altın|Kuzey|Gece',
    'Liman|Sahil|Vadi|Kale',
    'RP|Serbest Sürüş|Yarış|Arena|Hayatta Kalma|Takip',
    '{name} her akşam dolu. Yeni oyunculara yardım ediyoruz.',
  ],
  es: [
    'Puerto|Valle|Costa|Villa',
    'Real|Azul|Norte|del Sol',
    'RP|Ruta Libre|Carreras|Arena|Supervivencia|Persecución',
    '{name}: comunidad en español con economía propia y eventos cada fin de semana.',
  ],
  pt: [
    'Porto|Vale|Costa|Serra',
    'Real|Verde|do Sul|da Lua',
    'RP|Passeio Livre|Corridas|Arena|Sobrevivência|Perseguição',
    '{name}: servidor brasileiro com equipe ativa e eventos toda semana.',
  ],
}

/** Adds the name to the used ones. */
export function nameServer(random: Random, language: string, mode: string, used: Set<string>): { name: string; description: string } {
  const [first, second, modes, descriptions] = (WORDS[language] ?? ENGLISH).map((words) => words.split('|'))
  const modeName = modes?.[MODES.indexOf(mode)] ?? mode
  for (let tries = 0; ; tries += 1) {
    const place = `${random.pick(first ?? [])} ${random.pick(second ?? [])}`.replace(' +', '')
    // Places of a language run out before its servers do.
    const name = `${place} ${modeName}${tries < 50 ? '' : ` ${tries - 48}`}`
    if (used.has(name)) continue
    used.add(name)
    return {
      name,
      description: random
        .pick(descriptions ?? [])
        .replaceAll('{name}', place)
        .replaceAll('{mode}', modeName),
    }
  }
}

export const USERNAMES =
  'alice bob carol mira_k jonas.w northpaw tobi_dev lena_x kestrel old_salt piotr.z yusuf_e anais marco.v sable_fox ivan_petrov ' +
  'dasha.s wren hugo_b lucia.m thiago_r beatriz finn_l oskar89 greta.h midnightdan rusty_gears quietstorm elif.t baran_y zofia.k adam_n camille_d theo.r rafael.s ines_p xiaoming lingling koji_a harbourmaster tess_q nadia.o viktor_b emil.j'
