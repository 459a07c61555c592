CREATE TABLE action (
    id integer NOT NULL,
    game_id integer NOT NULL,
    parent integer,
    number integer NOT NULL,
    seat character varying NOT NULL,
    text character varying NOT NULL,
    action bytea NOT NULL,
    events bytea NOT NULL,
    rules integer NOT NULL,
    digest character varying NOT NULL,
    snapshot bytea,
    line integer NOT NULL,
    at bigint NOT NULL,
    format integer DEFAULT 1 NOT NULL,
    occasion_id integer NOT NULL
);
CREATE SEQUENCE action_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE action_id_seq OWNED BY action.id;
CREATE TABLE ahead (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    commands character varying NOT NULL,
    keep_open boolean NOT NULL,
    question character varying NOT NULL,
    turn character varying NOT NULL,
    number integer NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL,
    instead character varying DEFAULT ''::character varying NOT NULL
);
CREATE SEQUENCE ahead_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE ahead_id_seq OWNED BY ahead.id;
CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE ballot (
    id integer NOT NULL,
    vote_id integer NOT NULL,
    seat character varying NOT NULL,
    yes boolean NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE ballot_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE ballot_id_seq OWNED BY ballot.id;
CREATE TABLE clock (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    bank bigint NOT NULL,
    credited character varying NOT NULL,
    decision character varying NOT NULL,
    asked bigint NOT NULL,
    started bigint NOT NULL,
    zone character varying NOT NULL,
    quiet character varying NOT NULL,
    extra bigint NOT NULL,
    corrected boolean NOT NULL,
    reminded integer NOT NULL,
    flagged boolean NOT NULL,
    misses integer NOT NULL
);
CREATE SEQUENCE clock_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE clock_id_seq OWNED BY clock.id;
CREATE TABLE former (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    address character varying NOT NULL,
    epoch integer NOT NULL,
    until bigint NOT NULL,
    answered boolean NOT NULL
);
CREATE SEQUENCE former_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE former_id_seq OWNED BY former.id;
CREATE TABLE forum (
    id integer NOT NULL,
    game_id integer NOT NULL,
    number integer NOT NULL,
    status character varying NOT NULL,
    sender character varying NOT NULL,
    host character varying NOT NULL,
    topic character varying NOT NULL,
    reply_to character varying NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT forum_status_known CHECK (status IN ('named', 'on'))
);
CREATE SEQUENCE forum_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE forum_id_seq OWNED BY forum.id;
CREATE TABLE forum_name (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    address character varying NOT NULL,
    name character varying NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE forum_name_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE forum_name_id_seq OWNED BY forum_name.id;
CREATE TABLE further_address (
    id integer NOT NULL,
    seat_id integer NOT NULL,
    kind character varying NOT NULL,
    address character varying NOT NULL,
    stands boolean NOT NULL,
    epoch integer NOT NULL,
    mail integer NOT NULL,
    due bigint NOT NULL
);
CREATE SEQUENCE further_address_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE further_address_id_seq OWNED BY further_address.id;
CREATE TABLE game (
    id integer NOT NULL,
    name character varying NOT NULL,
    title character varying NOT NULL,
    title_data bytea NOT NULL,
    settings bytea NOT NULL,
    status character varying NOT NULL,
    head integer,
    organiser character varying NOT NULL,
    created bigint NOT NULL,
    ended bigint,
    epoch integer DEFAULT 0 NOT NULL,
    renewed_by integer,
    format integer DEFAULT 1 NOT NULL,
    CONSTRAINT name_is_slug CHECK ((((name)::text = lower((name)::text)) AND ((name)::text <> ''::text))),
    CONSTRAINT status_known CHECK (status IN ('open', 'running', 'ended', 'abandoned'))
);
CREATE SEQUENCE game_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE game_id_seq OWNED BY game.id;
CREATE TABLE game_list (
    id integer NOT NULL,
    game_id integer NOT NULL,
    address character varying NOT NULL,
    name character varying NOT NULL,
    status character varying NOT NULL,
    pictures character varying NOT NULL,
    number integer NOT NULL,
    told integer NOT NULL,
    topic character varying NOT NULL,
    root character varying NOT NULL,
    at bigint NOT NULL,
    links boolean DEFAULT false NOT NULL,
    CONSTRAINT pictures_known CHECK (pictures IN ('attached', 'small', 'off')),
    CONSTRAINT status_known CHECK (status IN ('named', 'greeted', 'on'))
);
CREATE SEQUENCE game_list_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE game_list_id_seq OWNED BY game_list.id;
CREATE TABLE heartbeat (
    name character varying NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE held (
    id integer NOT NULL,
    game character varying NOT NULL,
    seat character varying NOT NULL,
    inbox_id integer NOT NULL,
    about character varying NOT NULL,
    at bigint NOT NULL,
    due bigint NOT NULL
);
CREATE SEQUENCE held_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE held_id_seq OWNED BY held.id;
CREATE TABLE inbox (
    id integer NOT NULL,
    account character varying NOT NULL,
    uidvalidity bigint NOT NULL,
    uid bigint NOT NULL,
    message_id character varying NOT NULL,
    sha256 character varying NOT NULL,
    raw bytea NOT NULL,
    received bigint NOT NULL,
    sender character varying NOT NULL,
    game character varying NOT NULL,
    status character varying NOT NULL,
    worker character varying NOT NULL,
    lease bigint NOT NULL,
    tries integer NOT NULL,
    note character varying NOT NULL,
    kept bigint NOT NULL,
    next_try bigint DEFAULT 0 NOT NULL,
    identity character varying DEFAULT ''::character varying NOT NULL,
    acted character varying,
    faults integer DEFAULT 0 NOT NULL,
    CONSTRAINT status_known CHECK (status IN ('new', 'working', 'done', 'ignored', 'duplicate', 'shunted'))
);
CREATE SEQUENCE inbox_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE inbox_id_seq OWNED BY inbox.id;
CREATE TABLE jotting (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    kind character varying NOT NULL,
    text character varying NOT NULL,
    number integer NOT NULL,
    shown boolean NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('note', 'diary', 'news'))
);
CREATE SEQUENCE jotting_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE jotting_id_seq OWNED BY jotting.id;
CREATE TABLE meta (
    key character varying NOT NULL,
    value character varying NOT NULL
);
CREATE TABLE observer (
    id integer NOT NULL,
    game_id integer NOT NULL,
    address character varying NOT NULL,
    asked bigint NOT NULL,
    agreed bigint,
    page character varying NOT NULL,
    settings bytea NOT NULL,
    told integer NOT NULL
);
CREATE SEQUENCE observer_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE observer_id_seq OWNED BY observer.id;
CREATE TABLE occasion (
    id integer NOT NULL,
    kind character varying NOT NULL,
    game character varying NOT NULL,
    seat character varying NOT NULL,
    mail integer,
    key character varying NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE occasion_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE occasion_id_seq OWNED BY occasion.id;
CREATE TABLE offer (
    id integer NOT NULL,
    game_id integer NOT NULL,
    number integer NOT NULL,
    "position" integer NOT NULL,
    by character varying NOT NULL,
    asked character varying NOT NULL,
    text character varying NOT NULL,
    counters integer NOT NULL,
    status character varying NOT NULL,
    closed integer NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE offer_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE offer_id_seq OWNED BY offer.id;
CREATE TABLE order_state (
    id integer NOT NULL,
    order_id integer NOT NULL,
    number integer NOT NULL,
    step integer NOT NULL,
    status character varying NOT NULL,
    reason character varying NOT NULL,
    struck boolean NOT NULL,
    occasion_id integer NOT NULL,
    part character varying DEFAULT ''::character varying NOT NULL
);
CREATE SEQUENCE order_state_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE order_state_id_seq OWNED BY order_state.id;
CREATE TABLE outbox (
    id integer NOT NULL,
    key character varying NOT NULL,
    game character varying NOT NULL,
    kind character varying NOT NULL,
    recipient character varying NOT NULL,
    mail_from character varying NOT NULL,
    raw bytea NOT NULL,
    message_id character varying NOT NULL,
    status character varying NOT NULL,
    worker character varying NOT NULL,
    lease bigint NOT NULL,
    tries integer NOT NULL,
    next_try bigint NOT NULL,
    note character varying NOT NULL,
    created bigint NOT NULL,
    sent bigint,
    pictures character varying DEFAULT ''::character varying NOT NULL,
    told bigint,
    CONSTRAINT status_known CHECK (status IN ('new', 'working', 'sent', 'failed'))
);
CREATE SEQUENCE outbox_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE outbox_id_seq OWNED BY outbox.id;
CREATE TABLE partial (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    commands character varying NOT NULL,
    fault character varying NOT NULL,
    follows integer NOT NULL,
    mail integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE partial_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE partial_id_seq OWNED BY partial.id;
CREATE TABLE pass_phrase (
    id integer NOT NULL,
    game_id integer NOT NULL,
    holder character varying NOT NULL,
    hash character varying NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE pass_phrase_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE pass_phrase_id_seq OWNED BY pass_phrase.id;
CREATE TABLE picture (
    sha256 character varying NOT NULL,
    png bytea NOT NULL,
    used bigint NOT NULL
);
CREATE TABLE put_by (
    id integer NOT NULL,
    game_id integer NOT NULL,
    holder character varying NOT NULL,
    mail integer NOT NULL,
    code character varying NOT NULL,
    due bigint NOT NULL,
    answer integer,
    phrase character varying NOT NULL
);
CREATE SEQUENCE put_by_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE put_by_id_seq OWNED BY put_by.id;
CREATE TABLE reply_guard (
    id integer NOT NULL,
    address character varying NOT NULL,
    kind character varying NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE reply_guard_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE reply_guard_id_seq OWNED BY reply_guard.id;
CREATE TABLE returned (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    address character varying NOT NULL,
    letter integer NOT NULL,
    hard boolean NOT NULL,
    sent bigint NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE returned_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE returned_id_seq OWNED BY returned.id;
CREATE TABLE ruling (
    id integer NOT NULL,
    game_id integer NOT NULL,
    number integer NOT NULL,
    kind character varying NOT NULL,
    "position" integer NOT NULL,
    about integer NOT NULL,
    by character varying NOT NULL,
    text character varying NOT NULL,
    because character varying NOT NULL,
    before integer NOT NULL,
    after integer NOT NULL,
    lost character varying NOT NULL,
    struck boolean NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE ruling_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE ruling_id_seq OWNED BY ruling.id;
CREATE TABLE seat (
    id integer NOT NULL,
    game_id integer NOT NULL,
    name character varying NOT NULL,
    address character varying NOT NULL,
    address_key character varying NOT NULL,
    epoch integer NOT NULL,
    "position" integer NOT NULL,
    status character varying NOT NULL,
    settings bytea NOT NULL,
    offered bigint DEFAULT '0'::bigint NOT NULL,
    renewed_by integer,
    told integer DEFAULT 0 NOT NULL,
    heard integer DEFAULT 0 NOT NULL,
    CONSTRAINT status_known CHECK (status IN ('invited', 'joined'))
);
CREATE SEQUENCE seat_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE seat_id_seq OWNED BY seat.id;
CREATE TABLE standing_order (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    number integer NOT NULL,
    text character varying NOT NULL,
    given integer NOT NULL,
    round_kind character varying NOT NULL,
    round_number integer NOT NULL,
    round_part integer NOT NULL,
    salt character varying NOT NULL,
    seal character varying NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE standing_order_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE standing_order_id_seq OWNED BY standing_order.id;
CREATE TABLE talk (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    text character varying NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE talk_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE talk_id_seq OWNED BY talk.id;
CREATE TABLE task (
    id integer NOT NULL,
    kind character varying NOT NULL,
    game character varying NOT NULL,
    seat character varying NOT NULL,
    key character varying NOT NULL,
    due bigint NOT NULL,
    payload bytea NOT NULL,
    status character varying DEFAULT 'new'::character varying NOT NULL,
    worker character varying DEFAULT ''::character varying NOT NULL,
    lease bigint DEFAULT '0'::bigint NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    faults integer DEFAULT 0 NOT NULL,
    next_try bigint DEFAULT '0'::bigint NOT NULL,
    note character varying DEFAULT ''::character varying NOT NULL,
    created bigint NOT NULL,
    CONSTRAINT status_known CHECK (status IN ('new', 'working', 'done', 'shunted'))
);
CREATE SEQUENCE task_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE task_id_seq OWNED BY task.id;
CREATE TABLE tournament (
    id integer NOT NULL,
    name character varying NOT NULL,
    created bigint NOT NULL,
    ended bigint NOT NULL
);
CREATE TABLE tournament_act (
    id integer NOT NULL,
    tournament_id integer NOT NULL,
    number integer NOT NULL,
    kind character varying NOT NULL,
    payload bytea NOT NULL,
    by character varying NOT NULL,
    because character varying NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE tournament_act_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE tournament_act_id_seq OWNED BY tournament_act.id;
CREATE TABLE tournament_address (
    id integer NOT NULL,
    tournament_id integer NOT NULL,
    address character varying NOT NULL,
    entrant character varying NOT NULL
);
CREATE SEQUENCE tournament_address_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE tournament_address_id_seq OWNED BY tournament_address.id;
CREATE TABLE tournament_board (
    id integer NOT NULL,
    tournament_id integer NOT NULL,
    game_id integer NOT NULL,
    round integer NOT NULL,
    board integer NOT NULL,
    adjudicate bigint NOT NULL
);
CREATE SEQUENCE tournament_board_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE tournament_board_id_seq OWNED BY tournament_board.id;
CREATE SEQUENCE tournament_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE tournament_id_seq OWNED BY tournament.id;
CREATE TABLE uncounted (
    id integer NOT NULL,
    game_id integer,
    seat character varying NOT NULL,
    kind character varying NOT NULL,
    begins bigint NOT NULL,
    ends bigint,
    reason character varying NOT NULL
);
CREATE SEQUENCE uncounted_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE uncounted_id_seq OWNED BY uncounted.id;
CREATE TABLE unlisted (
    id integer NOT NULL,
    address character varying NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE unlisted_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE unlisted_id_seq OWNED BY unlisted.id;
CREATE TABLE vacancy (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    cause character varying NOT NULL,
    why character varying NOT NULL,
    since bigint NOT NULL
);
CREATE SEQUENCE vacancy_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE vacancy_id_seq OWNED BY vacancy.id;
CREATE TABLE volunteer (
    id integer NOT NULL,
    game_id integer NOT NULL,
    kind character varying NOT NULL,
    seat character varying NOT NULL,
    address character varying NOT NULL,
    asked bigint NOT NULL,
    agreed bigint,
    begins bigint NOT NULL,
    ends bigint
);
CREATE SEQUENCE volunteer_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE volunteer_id_seq OWNED BY volunteer.id;
CREATE TABLE vote (
    id integer NOT NULL,
    game_id integer NOT NULL,
    number integer NOT NULL,
    kind character varying NOT NULL,
    about character varying NOT NULL,
    by character varying NOT NULL,
    opened integer NOT NULL,
    due bigint NOT NULL,
    status character varying NOT NULL,
    closed integer NOT NULL,
    occasion_id integer NOT NULL,
    at bigint NOT NULL,
    silent character varying DEFAULT ''::character varying NOT NULL
);
CREATE SEQUENCE vote_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE vote_id_seq OWNED BY vote.id;
CREATE TABLE waiting (
    id integer NOT NULL,
    game_id integer NOT NULL,
    seat character varying NOT NULL,
    decision character varying NOT NULL,
    since bigint NOT NULL,
    due bigint
);
CREATE SEQUENCE waiting_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE waiting_id_seq OWNED BY waiting.id;
CREATE TABLE work (
    id integer NOT NULL,
    address character varying NOT NULL,
    spent integer NOT NULL,
    at bigint NOT NULL
);
CREATE SEQUENCE work_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE work_id_seq OWNED BY work.id;
ALTER TABLE ONLY action ALTER COLUMN id SET DEFAULT nextval('action_id_seq'::regclass);
ALTER TABLE ONLY ahead ALTER COLUMN id SET DEFAULT nextval('ahead_id_seq'::regclass);
ALTER TABLE ONLY ballot ALTER COLUMN id SET DEFAULT nextval('ballot_id_seq'::regclass);
ALTER TABLE ONLY clock ALTER COLUMN id SET DEFAULT nextval('clock_id_seq'::regclass);
ALTER TABLE ONLY former ALTER COLUMN id SET DEFAULT nextval('former_id_seq'::regclass);
ALTER TABLE ONLY forum ALTER COLUMN id SET DEFAULT nextval('forum_id_seq'::regclass);
ALTER TABLE ONLY forum_name ALTER COLUMN id SET DEFAULT nextval('forum_name_id_seq'::regclass);
ALTER TABLE ONLY further_address ALTER COLUMN id SET DEFAULT nextval('further_address_id_seq'::regclass);
ALTER TABLE ONLY game ALTER COLUMN id SET DEFAULT nextval('game_id_seq'::regclass);
ALTER TABLE ONLY game_list ALTER COLUMN id SET DEFAULT nextval('game_list_id_seq'::regclass);
ALTER TABLE ONLY held ALTER COLUMN id SET DEFAULT nextval('held_id_seq'::regclass);
ALTER TABLE ONLY inbox ALTER COLUMN id SET DEFAULT nextval('inbox_id_seq'::regclass);
ALTER TABLE ONLY jotting ALTER COLUMN id SET DEFAULT nextval('jotting_id_seq'::regclass);
ALTER TABLE ONLY observer ALTER COLUMN id SET DEFAULT nextval('observer_id_seq'::regclass);
ALTER TABLE ONLY occasion ALTER COLUMN id SET DEFAULT nextval('occasion_id_seq'::regclass);
ALTER TABLE ONLY offer ALTER COLUMN id SET DEFAULT nextval('offer_id_seq'::regclass);
ALTER TABLE ONLY order_state ALTER COLUMN id SET DEFAULT nextval('order_state_id_seq'::regclass);
ALTER TABLE ONLY outbox ALTER COLUMN id SET DEFAULT nextval('outbox_id_seq'::regclass);
ALTER TABLE ONLY partial ALTER COLUMN id SET DEFAULT nextval('partial_id_seq'::regclass);
ALTER TABLE ONLY pass_phrase ALTER COLUMN id SET DEFAULT nextval('pass_phrase_id_seq'::regclass);
ALTER TABLE ONLY put_by ALTER COLUMN id SET DEFAULT nextval('put_by_id_seq'::regclass);
ALTER TABLE ONLY reply_guard ALTER COLUMN id SET DEFAULT nextval('reply_guard_id_seq'::regclass);
ALTER TABLE ONLY returned ALTER COLUMN id SET DEFAULT nextval('returned_id_seq'::regclass);
ALTER TABLE ONLY ruling ALTER COLUMN id SET DEFAULT nextval('ruling_id_seq'::regclass);
ALTER TABLE ONLY seat ALTER COLUMN id SET DEFAULT nextval('seat_id_seq'::regclass);
ALTER TABLE ONLY standing_order ALTER COLUMN id SET DEFAULT nextval('standing_order_id_seq'::regclass);
ALTER TABLE ONLY talk ALTER COLUMN id SET DEFAULT nextval('talk_id_seq'::regclass);
ALTER TABLE ONLY task ALTER COLUMN id SET DEFAULT nextval('task_id_seq'::regclass);
ALTER TABLE ONLY tournament ALTER COLUMN id SET DEFAULT nextval('tournament_id_seq'::regclass);
ALTER TABLE ONLY tournament_act ALTER COLUMN id SET DEFAULT nextval('tournament_act_id_seq'::regclass);
ALTER TABLE ONLY tournament_address ALTER COLUMN id SET DEFAULT nextval('tournament_address_id_seq'::regclass);
ALTER TABLE ONLY tournament_board ALTER COLUMN id SET DEFAULT nextval('tournament_board_id_seq'::regclass);
ALTER TABLE ONLY uncounted ALTER COLUMN id SET DEFAULT nextval('uncounted_id_seq'::regclass);
ALTER TABLE ONLY unlisted ALTER COLUMN id SET DEFAULT nextval('unlisted_id_seq'::regclass);
ALTER TABLE ONLY vacancy ALTER COLUMN id SET DEFAULT nextval('vacancy_id_seq'::regclass);
ALTER TABLE ONLY volunteer ALTER COLUMN id SET DEFAULT nextval('volunteer_id_seq'::regclass);
ALTER TABLE ONLY vote ALTER COLUMN id SET DEFAULT nextval('vote_id_seq'::regclass);
ALTER TABLE ONLY waiting ALTER COLUMN id SET DEFAULT nextval('waiting_id_seq'::regclass);
ALTER TABLE ONLY work ALTER COLUMN id SET DEFAULT nextval('work_id_seq'::regclass);
ALTER TABLE ONLY action
    ADD CONSTRAINT action_number UNIQUE (game_id, number);
ALTER TABLE ONLY action
    ADD CONSTRAINT action_of_occasion UNIQUE (occasion_id, line, game_id);
ALTER TABLE ONLY action
    ADD CONSTRAINT action_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ahead
    ADD CONSTRAINT ahead_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ahead
    ADD CONSTRAINT ahead_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY ballot
    ADD CONSTRAINT ballot_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ballot
    ADD CONSTRAINT ballot_seat UNIQUE (vote_id, seat);
ALTER TABLE ONLY clock
    ADD CONSTRAINT clock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY clock
    ADD CONSTRAINT clock_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY former
    ADD CONSTRAINT former_epoch UNIQUE (game_id, seat, epoch);
ALTER TABLE ONLY former
    ADD CONSTRAINT former_pkey PRIMARY KEY (id);
ALTER TABLE ONLY forum
    ADD CONSTRAINT forum_game_id_key UNIQUE (game_id);
ALTER TABLE ONLY forum_name
    ADD CONSTRAINT forum_name_pkey PRIMARY KEY (id);
ALTER TABLE ONLY forum_name
    ADD CONSTRAINT forum_name_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY forum
    ADD CONSTRAINT forum_pkey PRIMARY KEY (id);
ALTER TABLE ONLY further_address
    ADD CONSTRAINT further_address_kind UNIQUE (seat_id, kind, stands);
ALTER TABLE ONLY further_address
    ADD CONSTRAINT further_address_pkey PRIMARY KEY (id);
ALTER TABLE ONLY game_list
    ADD CONSTRAINT game_list_game_id_key UNIQUE (game_id);
ALTER TABLE ONLY game_list
    ADD CONSTRAINT game_list_pkey PRIMARY KEY (id);
ALTER TABLE ONLY game
    ADD CONSTRAINT game_name UNIQUE (name);
ALTER TABLE ONLY game
    ADD CONSTRAINT game_pkey PRIMARY KEY (id);
ALTER TABLE ONLY heartbeat
    ADD CONSTRAINT heartbeat_pkey PRIMARY KEY (name);
ALTER TABLE ONLY held
    ADD CONSTRAINT held_inbox_id UNIQUE (inbox_id);
ALTER TABLE ONLY held
    ADD CONSTRAINT held_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_sha256 UNIQUE (sha256);
ALTER TABLE ONLY inbox
    ADD CONSTRAINT inbox_uid UNIQUE (account, uidvalidity, uid);
ALTER TABLE ONLY jotting
    ADD CONSTRAINT jotting_pkey PRIMARY KEY (id);
ALTER TABLE ONLY meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (key);
ALTER TABLE ONLY observer
    ADD CONSTRAINT observer_once UNIQUE (game_id, address);
ALTER TABLE ONLY observer
    ADD CONSTRAINT observer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY occasion
    ADD CONSTRAINT occasion_key UNIQUE (key);
ALTER TABLE ONLY occasion
    ADD CONSTRAINT occasion_mail UNIQUE (mail);
ALTER TABLE ONLY occasion
    ADD CONSTRAINT occasion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY offer
    ADD CONSTRAINT offer_number UNIQUE (game_id, number);
ALTER TABLE ONLY offer
    ADD CONSTRAINT offer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY standing_order
    ADD CONSTRAINT order_number UNIQUE (game_id, seat, number);
ALTER TABLE ONLY order_state
    ADD CONSTRAINT order_state_pkey PRIMARY KEY (id);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_key UNIQUE (key);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY partial
    ADD CONSTRAINT partial_pkey PRIMARY KEY (id);
ALTER TABLE ONLY partial
    ADD CONSTRAINT partial_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY pass_phrase
    ADD CONSTRAINT pass_phrase_holder UNIQUE (game_id, holder);
ALTER TABLE ONLY pass_phrase
    ADD CONSTRAINT pass_phrase_pkey PRIMARY KEY (id);
ALTER TABLE ONLY picture
    ADD CONSTRAINT picture_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY put_by
    ADD CONSTRAINT put_by_mail UNIQUE (mail);
ALTER TABLE ONLY put_by
    ADD CONSTRAINT put_by_pkey PRIMARY KEY (id);
ALTER TABLE ONLY reply_guard
    ADD CONSTRAINT reply_guard_pkey PRIMARY KEY (id);
ALTER TABLE ONLY returned
    ADD CONSTRAINT returned_letter UNIQUE (letter);
ALTER TABLE ONLY returned
    ADD CONSTRAINT returned_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ruling
    ADD CONSTRAINT ruling_number UNIQUE (game_id, number);
ALTER TABLE ONLY ruling
    ADD CONSTRAINT ruling_pkey PRIMARY KEY (id);
ALTER TABLE ONLY seat
    ADD CONSTRAINT seat_name UNIQUE (game_id, name);
ALTER TABLE ONLY seat
    ADD CONSTRAINT seat_pkey PRIMARY KEY (id);
ALTER TABLE ONLY standing_order
    ADD CONSTRAINT standing_order_pkey PRIMARY KEY (id);
ALTER TABLE ONLY talk
    ADD CONSTRAINT talk_pkey PRIMARY KEY (id);
ALTER TABLE ONLY task
    ADD CONSTRAINT task_key UNIQUE (key);
ALTER TABLE ONLY task
    ADD CONSTRAINT task_pkey PRIMARY KEY (id);
ALTER TABLE ONLY tournament_act
    ADD CONSTRAINT tournament_act_number UNIQUE (tournament_id, number);
ALTER TABLE ONLY tournament_act
    ADD CONSTRAINT tournament_act_pkey PRIMARY KEY (id);
ALTER TABLE ONLY tournament_address
    ADD CONSTRAINT tournament_address_once UNIQUE (tournament_id, address);
ALTER TABLE ONLY tournament_address
    ADD CONSTRAINT tournament_address_pkey PRIMARY KEY (id);
ALTER TABLE ONLY tournament_board
    ADD CONSTRAINT tournament_board_game_id_key UNIQUE (game_id);
ALTER TABLE ONLY tournament_board
    ADD CONSTRAINT tournament_board_pkey PRIMARY KEY (id);
ALTER TABLE ONLY tournament_board
    ADD CONSTRAINT tournament_board_place UNIQUE (tournament_id, round, board);
ALTER TABLE ONLY tournament
    ADD CONSTRAINT tournament_name_key UNIQUE (name);
ALTER TABLE ONLY tournament
    ADD CONSTRAINT tournament_pkey PRIMARY KEY (id);
ALTER TABLE ONLY uncounted
    ADD CONSTRAINT uncounted_pkey PRIMARY KEY (id);
ALTER TABLE ONLY unlisted
    ADD CONSTRAINT unlisted_address_key UNIQUE (address);
ALTER TABLE ONLY unlisted
    ADD CONSTRAINT unlisted_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vacancy
    ADD CONSTRAINT vacancy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vacancy
    ADD CONSTRAINT vacancy_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY volunteer
    ADD CONSTRAINT volunteer_once UNIQUE (game_id, kind, seat, address);
ALTER TABLE ONLY volunteer
    ADD CONSTRAINT volunteer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY vote
    ADD CONSTRAINT vote_number UNIQUE (game_id, number);
ALTER TABLE ONLY vote
    ADD CONSTRAINT vote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY waiting
    ADD CONSTRAINT waiting_pkey PRIMARY KEY (id);
ALTER TABLE ONLY waiting
    ADD CONSTRAINT waiting_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY work
    ADD CONSTRAINT work_pkey PRIMARY KEY (id);
CREATE INDEX forum_topic ON forum USING btree (host, topic);
CREATE INDEX game_list_name ON game_list USING btree (name);
CREATE INDEX held_due ON held USING btree (due);
CREATE UNIQUE INDEX inbox_acted ON inbox USING btree (acted);
CREATE INDEX inbox_lane ON inbox USING btree (status, game, id);
CREATE INDEX inbox_message_id ON inbox USING btree (message_id);
CREATE INDEX jotting_seat ON jotting USING btree (game_id, seat);
CREATE INDEX order_state_order ON order_state USING btree (order_id);
CREATE INDEX outbox_due ON outbox USING btree (status, next_try);
CREATE INDEX outbox_message_id ON outbox USING btree (message_id);
CREATE INDEX outbox_recipient ON outbox USING btree (recipient, game);
CREATE INDEX reply_guard_address ON reply_guard USING btree (address, kind, at);
CREATE INDEX seat_address_key ON seat USING btree (address_key);
CREATE INDEX talk_game ON talk USING btree (game_id, number);
CREATE INDEX task_due ON task USING btree (status, due);
CREATE INDEX task_lane ON task USING btree (game, status);
CREATE INDEX tournament_address_address ON tournament_address USING btree (address);
CREATE INDEX uncounted_game ON uncounted USING btree (game_id, seat);
CREATE INDEX waiting_due ON waiting USING btree (due);
CREATE INDEX work_address ON work USING btree (address, at);
ALTER TABLE ONLY action
    ADD CONSTRAINT action_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY action
    ADD CONSTRAINT action_occasion FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY action
    ADD CONSTRAINT action_parent_fkey FOREIGN KEY (parent) REFERENCES action(id);
ALTER TABLE ONLY ahead
    ADD CONSTRAINT ahead_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY ahead
    ADD CONSTRAINT ahead_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY ballot
    ADD CONSTRAINT ballot_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY ballot
    ADD CONSTRAINT ballot_vote_id_fkey FOREIGN KEY (vote_id) REFERENCES vote(id);
ALTER TABLE ONLY clock
    ADD CONSTRAINT clock_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY former
    ADD CONSTRAINT former_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY forum
    ADD CONSTRAINT forum_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY forum_name
    ADD CONSTRAINT forum_name_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY further_address
    ADD CONSTRAINT further_address_seat_id_fkey FOREIGN KEY (seat_id) REFERENCES seat(id);
ALTER TABLE ONLY game_list
    ADD CONSTRAINT game_list_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY held
    ADD CONSTRAINT held_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES inbox(id);
ALTER TABLE ONLY jotting
    ADD CONSTRAINT jotting_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY observer
    ADD CONSTRAINT observer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY occasion
    ADD CONSTRAINT occasion_mail_fkey FOREIGN KEY (mail) REFERENCES inbox(id);
ALTER TABLE ONLY offer
    ADD CONSTRAINT offer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY offer
    ADD CONSTRAINT offer_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY order_state
    ADD CONSTRAINT order_state_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY order_state
    ADD CONSTRAINT order_state_order_id_fkey FOREIGN KEY (order_id) REFERENCES standing_order(id);
ALTER TABLE ONLY partial
    ADD CONSTRAINT partial_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY partial
    ADD CONSTRAINT partial_mail_fkey FOREIGN KEY (mail) REFERENCES inbox(id);
ALTER TABLE ONLY pass_phrase
    ADD CONSTRAINT pass_phrase_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY put_by
    ADD CONSTRAINT put_by_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY put_by
    ADD CONSTRAINT put_by_mail_fkey FOREIGN KEY (mail) REFERENCES inbox(id);
ALTER TABLE ONLY returned
    ADD CONSTRAINT returned_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY ruling
    ADD CONSTRAINT ruling_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY ruling
    ADD CONSTRAINT ruling_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY seat
    ADD CONSTRAINT seat_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY standing_order
    ADD CONSTRAINT standing_order_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY standing_order
    ADD CONSTRAINT standing_order_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY talk
    ADD CONSTRAINT talk_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY tournament_act
    ADD CONSTRAINT tournament_act_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY tournament_act
    ADD CONSTRAINT tournament_act_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES tournament(id);
ALTER TABLE ONLY tournament_address
    ADD CONSTRAINT tournament_address_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES tournament(id);
ALTER TABLE ONLY tournament_board
    ADD CONSTRAINT tournament_board_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY tournament_board
    ADD CONSTRAINT tournament_board_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES tournament(id);
ALTER TABLE ONLY uncounted
    ADD CONSTRAINT uncounted_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY vacancy
    ADD CONSTRAINT vacancy_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY volunteer
    ADD CONSTRAINT volunteer_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY vote
    ADD CONSTRAINT vote_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
ALTER TABLE ONLY vote
    ADD CONSTRAINT vote_occasion_id_fkey FOREIGN KEY (occasion_id) REFERENCES occasion(id);
ALTER TABLE ONLY waiting
    ADD CONSTRAINT waiting_game_id_fkey FOREIGN KEY (game_id) REFERENCES game(id);
INSERT INTO alembic_version VALUES ('0023');
