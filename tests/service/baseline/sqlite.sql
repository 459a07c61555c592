CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE inbox (
	id INTEGER NOT NULL, 
	account VARCHAR NOT NULL, 
	uidvalidity BIGINT NOT NULL, 
	uid BIGINT NOT NULL, 
	message_id VARCHAR NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	raw BLOB NOT NULL, 
	received BIGINT NOT NULL, 
	sender VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	worker VARCHAR NOT NULL, 
	lease BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	note VARCHAR NOT NULL, 
	kept BIGINT NOT NULL, next_try BIGINT DEFAULT 0 NOT NULL, identity VARCHAR DEFAULT '' NOT NULL, acted VARCHAR, faults INTEGER DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT inbox_uid UNIQUE (account, uidvalidity, uid), 
	CONSTRAINT inbox_sha256 UNIQUE (sha256), 
	CONSTRAINT status_known CHECK (status IN ('new', 'working', 'done', 'ignored', 'duplicate', 'shunted'))
);
CREATE INDEX inbox_message_id ON inbox (message_id);
CREATE INDEX inbox_lane ON inbox (status, game, id);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	recipient VARCHAR NOT NULL, 
	mail_from VARCHAR NOT NULL, 
	raw BLOB NOT NULL, 
	message_id VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	worker VARCHAR NOT NULL, 
	lease BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	next_try BIGINT NOT NULL, 
	note VARCHAR NOT NULL, 
	created BIGINT NOT NULL, 
	sent BIGINT, pictures VARCHAR DEFAULT '' NOT NULL, told BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT outbox_key UNIQUE ("key"), 
	CONSTRAINT status_known CHECK (status IN ('new', 'working', 'sent', 'failed'))
);
CREATE INDEX outbox_due ON outbox (status, next_try);
CREATE INDEX outbox_recipient ON outbox (recipient, game);
CREATE TABLE game (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	title_data BLOB NOT NULL, 
	settings BLOB NOT NULL, 
	status VARCHAR NOT NULL, 
	head INTEGER, 
	organiser VARCHAR NOT NULL, 
	created BIGINT NOT NULL, 
	ended BIGINT, epoch INTEGER DEFAULT '0' NOT NULL, renewed_by INTEGER, format INTEGER DEFAULT '1' NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT game_name UNIQUE (name), 
	CONSTRAINT name_is_slug CHECK (name = lower(name) AND name <> ''), 
	CONSTRAINT status_known CHECK (status IN ('open', 'running', 'ended', 'abandoned'))
);
CREATE TABLE seat (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	address_key VARCHAR NOT NULL, 
	epoch INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	settings BLOB NOT NULL, offered BIGINT DEFAULT '0' NOT NULL, renewed_by INTEGER, told INTEGER DEFAULT '0' NOT NULL, heard INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT seat_name UNIQUE (game_id, name), 
	CONSTRAINT status_known CHECK (status IN ('invited', 'joined')), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX seat_address_key ON seat (address_key);
CREATE TABLE talk (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX talk_game ON talk (game_id, number);
CREATE TABLE reply_guard (
	id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX reply_guard_address ON reply_guard (address, kind, at);
CREATE TABLE meta (
	"key" VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE work (
	id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	spent INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX work_address ON work (address, at);
CREATE UNIQUE INDEX inbox_acted ON inbox (acted);
CREATE INDEX outbox_message_id ON outbox (message_id);
CREATE TABLE picture (
	sha256 VARCHAR NOT NULL, 
	png BLOB NOT NULL, 
	used BIGINT NOT NULL, 
	PRIMARY KEY (sha256)
);
CREATE TABLE held (
	id INTEGER NOT NULL, 
	game VARCHAR NOT NULL, 
	seat VARCHAR NOT NULL, 
	inbox_id INTEGER NOT NULL, 
	about VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT held_inbox_id UNIQUE (inbox_id), 
	FOREIGN KEY(inbox_id) REFERENCES inbox (id)
);
CREATE INDEX held_due ON held (due);
CREATE TABLE occasion (
	id INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	seat VARCHAR NOT NULL, 
	mail INTEGER, 
	"key" VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT occasion_key UNIQUE ("key"), 
	CONSTRAINT occasion_mail UNIQUE (mail), 
	FOREIGN KEY(mail) REFERENCES inbox (id)
);
CREATE TABLE task (
	id INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	seat VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	due BIGINT NOT NULL, 
	payload BLOB NOT NULL, 
	status VARCHAR DEFAULT 'new' NOT NULL, 
	worker VARCHAR DEFAULT '' NOT NULL, 
	lease BIGINT DEFAULT '0' NOT NULL, 
	tries INTEGER DEFAULT '0' NOT NULL, 
	faults INTEGER DEFAULT '0' NOT NULL, 
	next_try BIGINT DEFAULT '0' NOT NULL, 
	note VARCHAR DEFAULT '' NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT task_key UNIQUE ("key"), 
	CONSTRAINT status_known CHECK (status IN ('new', 'working', 'done', 'shunted'))
);
CREATE INDEX task_due ON task (status, due);
CREATE INDEX task_lane ON task (game, status);
CREATE TABLE waiting (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	decision VARCHAR NOT NULL, 
	since BIGINT NOT NULL, 
	due BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT waiting_seat UNIQUE (game_id, seat), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX waiting_due ON waiting (due);
CREATE TABLE "action" (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	parent INTEGER, 
	number INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	action BLOB NOT NULL, 
	events BLOB NOT NULL, 
	rules INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	snapshot BLOB, 
	line INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	format INTEGER DEFAULT '1' NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT action_number UNIQUE (game_id, number), 
	CONSTRAINT action_occasion FOREIGN KEY(occasion_id) REFERENCES occasion (id), 
	CONSTRAINT action_of_occasion UNIQUE (occasion_id, line, game_id), 
	FOREIGN KEY(parent) REFERENCES action (id), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE ahead (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	commands VARCHAR NOT NULL, 
	keep_open BOOLEAN NOT NULL, 
	question VARCHAR NOT NULL, 
	turn VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, "instead" VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT ahead_seat UNIQUE (game_id, seat), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE standing_order (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	text VARCHAR NOT NULL, 
	given INTEGER NOT NULL, 
	round_kind VARCHAR NOT NULL, 
	round_number INTEGER NOT NULL, 
	round_part INTEGER NOT NULL, 
	salt VARCHAR NOT NULL, 
	seal VARCHAR NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT order_number UNIQUE (game_id, seat, number), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE order_state (
	id INTEGER NOT NULL, 
	order_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	step INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	struck BOOLEAN NOT NULL, 
	occasion_id INTEGER NOT NULL, part VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(order_id) REFERENCES standing_order (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE INDEX order_state_order ON order_state (order_id);
CREATE TABLE jotting (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	shown BOOLEAN NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT kind_known CHECK (kind IN ('note', 'diary', 'news')), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX jotting_seat ON jotting (game_id, seat);
CREATE TABLE offer (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	"by" VARCHAR NOT NULL, 
	asked VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	counters INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	closed INTEGER NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT offer_number UNIQUE (game_id, number), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE vote (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	about VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	opened INTEGER NOT NULL, 
	due BIGINT NOT NULL, 
	status VARCHAR NOT NULL, 
	closed INTEGER NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, silent VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT vote_number UNIQUE (game_id, number), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE ballot (
	id INTEGER NOT NULL, 
	vote_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	yes BOOLEAN NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT ballot_seat UNIQUE (vote_id, seat), 
	FOREIGN KEY(vote_id) REFERENCES vote (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE partial (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	commands VARCHAR NOT NULL, 
	fault VARCHAR NOT NULL, 
	follows INTEGER NOT NULL, 
	mail INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT partial_seat UNIQUE (game_id, seat), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(mail) REFERENCES inbox (id)
);
CREATE TABLE uncounted (
	id INTEGER NOT NULL, 
	game_id INTEGER, 
	seat VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	begins BIGINT NOT NULL, 
	ends BIGINT, 
	reason VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX uncounted_game ON uncounted (game_id, seat);
CREATE TABLE clock (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	bank BIGINT NOT NULL, 
	credited VARCHAR NOT NULL, 
	decision VARCHAR NOT NULL, 
	asked BIGINT NOT NULL, 
	started BIGINT NOT NULL, 
	zone VARCHAR NOT NULL, 
	quiet VARCHAR NOT NULL, 
	extra BIGINT NOT NULL, 
	corrected BOOLEAN NOT NULL, 
	reminded INTEGER NOT NULL, 
	flagged BOOLEAN NOT NULL, 
	misses INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT clock_seat UNIQUE (game_id, seat), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE heartbeat (
	name VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE volunteer (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	seat VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	asked BIGINT NOT NULL, 
	agreed BIGINT, 
	begins BIGINT NOT NULL, 
	ends BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT volunteer_once UNIQUE (game_id, kind, seat, address), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE vacancy (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	cause VARCHAR NOT NULL, 
	why VARCHAR NOT NULL, 
	since BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT vacancy_seat UNIQUE (game_id, seat), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE former (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	epoch INTEGER NOT NULL, 
	until BIGINT NOT NULL, 
	answered BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT former_epoch UNIQUE (game_id, seat, epoch), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE put_by (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	holder VARCHAR NOT NULL, 
	mail INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	due BIGINT NOT NULL, 
	answer INTEGER, 
	phrase VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT put_by_mail UNIQUE (mail), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(mail) REFERENCES inbox (id)
);
CREATE TABLE pass_phrase (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	holder VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT pass_phrase_holder UNIQUE (game_id, holder), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE further_address (
	id INTEGER NOT NULL, 
	seat_id INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	stands BOOLEAN NOT NULL, 
	epoch INTEGER NOT NULL, 
	mail INTEGER NOT NULL, 
	due BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT further_address_kind UNIQUE (seat_id, kind, stands), 
	FOREIGN KEY(seat_id) REFERENCES seat (id)
);
CREATE TABLE returned (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	letter INTEGER NOT NULL, 
	hard BOOLEAN NOT NULL, 
	sent BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT returned_letter UNIQUE (letter), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE ruling (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	position INTEGER NOT NULL, 
	about INTEGER NOT NULL, 
	"by" VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	because VARCHAR NOT NULL, 
	"before" INTEGER NOT NULL, 
	"after" INTEGER NOT NULL, 
	lost VARCHAR NOT NULL, 
	struck BOOLEAN NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT ruling_number UNIQUE (game_id, number), 
	FOREIGN KEY(game_id) REFERENCES game (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE game_list (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	pictures VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	told INTEGER NOT NULL, 
	topic VARCHAR NOT NULL, 
	root VARCHAR NOT NULL, 
	at BIGINT NOT NULL, links BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT status_known CHECK (status IN ('named', 'greeted', 'on')), 
	CONSTRAINT pictures_known CHECK (pictures IN ('attached', 'small', 'off')), 
	UNIQUE (game_id), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX game_list_name ON game_list (name);
CREATE TABLE observer (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	asked BIGINT NOT NULL, 
	agreed BIGINT, 
	page VARCHAR NOT NULL, 
	settings BLOB NOT NULL, 
	told INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT observer_once UNIQUE (game_id, address), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE tournament (
	id INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	created BIGINT NOT NULL, 
	ended BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
CREATE TABLE tournament_act (
	id INTEGER NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	payload BLOB NOT NULL, 
	"by" VARCHAR NOT NULL, 
	because VARCHAR NOT NULL, 
	occasion_id INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT tournament_act_number UNIQUE (tournament_id, number), 
	FOREIGN KEY(tournament_id) REFERENCES tournament (id), 
	FOREIGN KEY(occasion_id) REFERENCES occasion (id)
);
CREATE TABLE tournament_address (
	id INTEGER NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	entrant VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT tournament_address_once UNIQUE (tournament_id, address), 
	FOREIGN KEY(tournament_id) REFERENCES tournament (id)
);
CREATE INDEX tournament_address_address ON tournament_address (address);
CREATE TABLE tournament_board (
	id INTEGER NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	board INTEGER NOT NULL, 
	adjudicate BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT tournament_board_place UNIQUE (tournament_id, round, board), 
	FOREIGN KEY(tournament_id) REFERENCES tournament (id), 
	UNIQUE (game_id), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE TABLE unlisted (
	id INTEGER NOT NULL, 
	address VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (address)
);
CREATE TABLE forum (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	sender VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	topic VARCHAR NOT NULL, 
	reply_to VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT forum_status_known CHECK (status IN ('named', 'on')), 
	UNIQUE (game_id), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
CREATE INDEX forum_topic ON forum (host, topic);
CREATE TABLE forum_name (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT forum_name_seat UNIQUE (game_id, seat), 
	FOREIGN KEY(game_id) REFERENCES game (id)
);
INSERT INTO alembic_version VALUES ('0023');
